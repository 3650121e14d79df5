// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_OPERATORS_HPP
#define INLAY_EXAMPLES_INLAY_OPERATORS_HPP

#include <string>
#include <string_view>
#include <vector>

#include <inlay/ops/op_definition.hpp>

namespace tool {

/// What an operator of ONNX or Relay means, by its name with dialect; null where that is not known.
[[nodiscard]] const inlay::op_definition* meaning_of(std::string_view name);

/// The operators that the tool knows, by name with dialect, as `onnx.Relu`; those of Relay for programs that are written so.
[[nodiscard]] std::vector<std::string> operator_names(bool of_relay = false);

}  // namespace tool

#endif
