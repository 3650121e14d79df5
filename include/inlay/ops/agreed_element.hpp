// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_AGREED_ELEMENT_HPP
#define INLAY_OPS_AGREED_ELEMENT_HPP

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay {

/// The one element type of those of the listed operands that are there; `none` where none is known yet. Each must be an allowed one.
[[nodiscard]] inline outcome<element_type> agreed_element(const call_view& call, std::initializer_list<std::size_t> operands,
                                                          element_mask allowed) {
    element_type agreed = element_type::none;
    for (const std::size_t i : operands) {
        if (!call.has(i)) continue;
        if (auto wrong = wrong_element(call, i, allowed)) return std::move(*wrong);
        const element_type e = call.type(i).element;
        if (agreed != element_type::none && e != element_type::none && e != agreed)
            return error{short_name(call.op) + " has operands of element types " + std::string(name_of(agreed)) + " and " +
                         std::string(name_of(e)) + ", which must be one"};
        if (agreed == element_type::none) agreed = e;
    }
    return agreed;
}

}  // namespace inlay

#endif
