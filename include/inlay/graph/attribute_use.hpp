// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_ATTRIBUTE_USE_HPP
#define INLAY_GRAPH_ATTRIBUTE_USE_HPP

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

/// Says whether there is an operator of that name, with dialect, and whether it has these attributes. The error's text follows the name of
/// what asks for it: `has the attribute 'axs', ...`.
using call_check = outcome<void> (*)(std::string_view op, std::span<const attribute_use> given);

}  // namespace inlay

#endif
