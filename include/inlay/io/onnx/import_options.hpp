// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_IMPORT_OPTIONS_HPP
#define INLAY_IO_ONNX_IMPORT_OPTIONS_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/ops/op_definition.hpp>

namespace inlay {

namespace detail {
/// The attribute of an input that holds its default.
inline constexpr std::string_view default_value = "default";
}  // namespace detail

/// How a model is read.
struct import_options {
    /// The operators whose type rules may be asked while old forms are rewritten: `onnx_ops::find`. Without them, ranks come from
    /// the file's declared types alone, and forms that need more keep their version in their name (`onnx.Add.v6`). A call of a
    /// function of the file that these operators know stays a call; others are inlined.
    const op_definition* (*operators)(std::string_view name) = nullptr;

    /// The folder that tensors kept outside the model lie in. `load_onnx` takes the model's own where this is not set.
    std::optional<std::string> external_data;

    /// Since version 4 of the format an initialiser that is also an input is a default: the caller may give another value. Such an input is
    /// a parameter of main, unless all of them are fixed here, or it is named. What is fixed is a constant.
    bool fixed_defaults = false;
    std::vector<std::string> fixed_inputs;

    /// How many nodes a program may get: functions that call functions can make a small file large.
    std::size_t most_nodes = 4'000'000;

    /// How deep branches, loop bodies and inlined functions may stand in each other.
    std::size_t deepest = 64;
};

}  // namespace inlay

#endif
