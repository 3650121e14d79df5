// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_ATTRIBUTE_USE_HPP
#define INLAY_GRAPH_ATTRIBUTE_USE_HPP

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/declared_attribute.hpp>

namespace inlay {

/// An attribute that a file or a text names, with what it holds where that is said.
struct attribute_use {
    std::string_view name;
    std::optional<attribute_form> form;
};

/// Where a call stands whose attributes are named: in a pattern, which may be silent about some; in what a rule makes, where graphs are
/// operands; in a file, with all that it has.
enum class call_place : std::uint8_t { pattern, rule, file };

/// Says whether there is an operator of that name, with dialect, whether it has these attributes, and whether a call that is no pattern
/// lacks one that it needs. The error's text follows the name of what asks for it: `has the attribute 'axs', ...`.
using call_check = outcome<void> (*)(std::string_view op, std::span<const attribute_use> given, call_place place);

/// What an operator, with dialect, declares that an attribute holds; nothing where the operator or the attribute is not known.
using declared_form = std::optional<attribute_form> (*)(std::string_view op, std::string_view attribute);

}  // namespace inlay

#endif
