// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_FLOAT_REGION_HPP
#define INLAY_BACKEND_FLOAT_REGION_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/candidate/border_formats.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// What most kernels ask of every region: inputs, and one result of a call, all tensors of that element type, of known, positive extents
/// and of up to `axes_allowed` axes.
[[nodiscard]] inline outcome<void> check_region_of(const region_view& r, element_type element, std::size_t axes_allowed) {
    if (r.calls().empty()) return error{"there is nothing to compute"};
    if (r.results.size() != 1) return error{std::to_string(r.results.size()) + " values leave the region; this back end makes one"};
    if (r.input_count == 0) return error{"no input reaches the region"};
    if (r[r.results[0]].kind != region_value::role::call) return error{"the result is no operator's"};
    const auto one = [&](const region_value& v, const char* what) -> outcome<void> {
        const std::string named = std::string(what) + " of type " + to_string(*v.type);
        if (!v.type->is_tensor() || !v.type->is_static()) return error{named + " has no known shape"};
        if (v.type->of_tensor.element != element)
            return error{named + " is not of " + std::string(name_of(element)) + ", the one element type that " +
                         (element == element_type::float32 ? "this back end takes" : "the others are of")};
        const std::vector<std::int64_t> extents = static_shape(v.type->of_tensor);
        if (extents.size() > axes_allowed)
            return error{named + " has rank " + std::to_string(extents.size()) + "; this back end takes up to " +
                         std::to_string(axes_allowed)};
        const auto count = element_count(extents);
        if (!count || *count == 0) return error{named + " has no elements"};
        return {};
    };
    for (const region_value& v : r.inputs())
        if (auto fine = one(v, "an input"); !fine) return fine;
    return one(r[r.results[0]], "the result");
}

/// The same of float32, all that most libraries take.
[[nodiscard]] inline outcome<void> check_float_region(const region_view& r, std::size_t axes_allowed) {
    return check_region_of(r, element_type::float32, axes_allowed);
}

/// All tensors at the border in one layout.
[[nodiscard]] inline border_formats borders_in(const region_view& r, const layout& l) {
    border_formats b = plain_borders(r);
    for (format& f : b.inputs) f.order = l;
    for (format& f : b.results) f.order = l;
    return b;
}

/// `check_float_region` for a region that is one call, whose first operand is an input. `what` says what it should be.
[[nodiscard]] inline outcome<void> check_one_call(const region_view& r, std::size_t axes_allowed, std::string_view what) {
    if (auto fine = check_float_region(r, axes_allowed); !fine) return fine;
    const region_value& c = r[r.results[0]];
    if (r.calls().size() == 1 && !c.operands.empty() && r[c.operands[0]].kind == region_value::role::input) return {};
    return error{"the region is no " + std::string(what) + " of an input"};
}

}  // namespace inlay::detail

#endif
