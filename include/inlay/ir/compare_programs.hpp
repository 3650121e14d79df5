// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_COMPARE_PROGRAMS_HPP
#define INLAY_IR_COMPARE_PROGRAMS_HPP

#include <optional>
#include <string>
#include <string_view>

#include <inlay/core/linkage.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/ir/ir_module.hpp>

namespace inlay {

/// How programs are compared.
struct compare_options {
    /// What an attribute of an operator stands at where a call leaves it out; nothing where that is not known. `on_device` and `match`
    /// need none.
    std::optional<attribute_value> (*default_of)(std::string_view op, std::string_view attribute) = nullptr;
};

/// The first thing in which two programs differ, as a sentence with both positions where they are known, or nothing where they mean the
/// same word for word.
///
/// Functions and data types are the same by name. Compared are operators, types, constants (type and bytes), attributes by value (one that
/// is left out has its default), and places: of parameters, of `on_device` and `device_copy`, and of functions and other calls where both
/// sides give one. One value that is used twice is not two that are alike, but for constants; a let is no shared value. What locals are
/// called, and in which order definitions and shared values stand, does not count. A type that one side leaves open is no difference.
/// Linear in the programs; no recursion over nodes.
[[nodiscard]] INLAY_FUNCTION std::optional<std::string> compare_programs(const ir_module& first, const ir_module& second,
                                                                         const compare_options& options = {});

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/ir/compare_programs.ipp>
#endif

#endif
