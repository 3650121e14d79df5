// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PORTABLE_C_WRITTEN_SCATTERS_HPP
#define INLAY_BACKEND_PORTABLE_C_WRITTEN_SCATTERS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/portable_c/written_call.hpp>
#include <inlay/backend/portable_c/written_gathers.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/text/c_functions.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay::portable {

/// What becomes of an element and an update, as an assignment.
struct written_update {
    std::string text;
    std::vector<std::string> needs{std::string(c_place)};
};

/// By the word that the operator has for it.
[[nodiscard]] inline outcome<written_update> update_of(const written_call& c, std::string_view reduction, const std::string& to,
                                                       const std::string& update) {
    if (reduction == "none") return written_update{to + " = " + update + ";"};
    const element_type e = c.call.type(0).element;
    if (detail::c_type_of(e).empty()) return error{"C has no arithmetic on " + std::string(name_of(e))};
    scalar_function f = scalar_function::minimum;
    if (e == element_type::boolean && (reduction == "add" || reduction == "max"))
        f = scalar_function::logical_or;
    else if (e == element_type::boolean)
        f = scalar_function::logical_and;
    else if (reduction == "add")
        f = scalar_function::add;
    else if (reduction == "mul")
        f = scalar_function::multiply;
    else if (reduction == "max")
        f = scalar_function::maximum;
    detail::c_functions functions;
    written_update made{to + " = " + functions.apply(f, e, to, update) + ";"};
    made.needs.insert(made.needs.end(), functions.definitions().begin(), functions.definitions().end());
    return made;
}

inline void copy_whole(c_lines& body, const written_call& c) {
    const auto x = c.extents(0);
    body.loop("i", extent_product(x, 0, x.size())).line(c.results[0] + "[i] = " + c.operands[0] + "[i];").close();
}

/// A copy in which the elements that indices name along one axis are updated, one after the other.
[[nodiscard]] inline outcome<written_body> write_scatter_elements(const written_call& c) {
    if (auto can = has_places(c); !can) return can.failure();
    const auto how = read<scatter_elements_attributes>(c.call);
    const auto x = c.extents(0);
    auto update = update_of(c, how.reduction, c.results[0] + "[place]", c.operands[2] + "[k]");
    if (!update) return update.failure();
    c_lines body;
    copy_whole(body, c);
    open_element_places(body, c, *axis_of(how.axis, x.size()));
    body.line(update->text).close(x.size());
    return written_body{std::move(body).take(), std::move(update->needs)};
}

/// A copy in which the rows that indices along several axes name are updated, one after the other.
[[nodiscard]] inline outcome<written_body> write_scatter_nd(const written_call& c) {
    if (auto can = has_places(c); !can) return can.failure();
    const auto x = c.extents(0), at = c.extents(1);
    const std::string row = std::to_string(extent_product(x, static_cast<std::size_t>(at.back()), x.size()));
    auto update =
        update_of(c, read<scatter_nd_attributes>(c.call).reduction, c.results[0] + "[place + r]", c.operands[2] + "[k * " + row + " + r]");
    if (!update) return update.failure();
    c_lines body;
    copy_whole(body, c);
    body.loop("r", open_row_places(body, c, 0)).line(update->text).close(3);
    return written_body{std::move(body).take(), std::move(update->needs)};
}

inline constexpr written_entry written_scatters[] = {{"onnx.ScatterElements", &write_scatter_elements},
                                                     {"onnx.ScatterND", &write_scatter_nd}};

}  // namespace inlay::portable

#endif
