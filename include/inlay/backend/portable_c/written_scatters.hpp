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

/// Writes what a scatter makes of its elements: a copy of the operand, whose elements are replaced or joined with updates. What is joined
/// is computed in float32 where half precision is kept, beside the result, and rounded once at the end.
class updated_elements {
public:
    /// `reduction`: the word that the operator has for how they are joined.
    [[nodiscard]] static outcome<updated_elements> of(const written_call& c, std::string_view reduction) {
        updated_elements made(c, reduction);
        if (reduction != "none" && made.elements_.type().empty())
            return error{"C has no arithmetic on " + std::string(name_of(made.elements_.element()))};
        return made;
    }

    /// The copy.
    void begin(c_lines& body) {
        if (is_wide()) body.line(elements_.type() + "* const wide = (" + elements_.type() + "*)(void*)workspace;");
        const std::string from = call_.operands[0] + "[i]";
        body.loop("i", count()).line(to_ + "[i] = " + (is_wide() ? elements_.read(from) : from) + ";").close();
    }
    /// The element at a place with an update, both named as subscripts.
    void update(c_lines& body, const std::string& place, const std::string& update) {
        const std::string old = to_ + "[" + place + "]", one = call_.operands[2] + "[" + update + "]";
        const std::string now = is_wide() ? elements_.read(one) : one;
        body.line(old + " = " + (reduction_ == "none" ? now : functions_.apply(function(), elements_.element(), old, now)) + ";");
    }
    [[nodiscard]] written_body end(c_lines body) {
        if (is_wide()) body.loop("i", count()).line(call_.results[0] + "[i] = " + elements_.stored("wide[i]") + ";").close();
        written_body made{std::move(body).take(), {std::string(c_place)}};
        for (const auto* all : {&elements_.needs(), &functions_.definitions()})
            made.needs.insert(made.needs.end(), all->begin(), all->end());
        if (is_wide()) made.workspace_bytes = static_cast<std::size_t>(count()) * size_of(elements_.element());
        return made;
    }

private:
    updated_elements(const written_call& c, std::string_view reduction)
        : call_(c), reduction_(reduction), elements_(c.call.type(0).element), to_(is_wide() ? "wide" : c.results[0]) {}

    [[nodiscard]] bool is_wide() const { return reduction_ != "none" && elements_.element() != call_.call.type(0).element; }
    [[nodiscard]] std::int64_t count() const {
        const auto x = call_.extents(0);
        return extent_product(x, 0, x.size());
    }
    [[nodiscard]] scalar_function function() const {
        if (elements_.element() == element_type::boolean)
            return reduction_ == "add" || reduction_ == "max" ? scalar_function::logical_or : scalar_function::logical_and;
        if (reduction_ == "add") return scalar_function::add;
        if (reduction_ == "mul") return scalar_function::multiply;
        return reduction_ == "max" ? scalar_function::maximum : scalar_function::minimum;
    }

    const written_call& call_;
    std::string reduction_;
    computed_elements elements_;
    detail::c_functions functions_;
    std::string to_;
};

/// A copy in which the elements that indices name along one axis are updated, one after the other.
[[nodiscard]] inline outcome<written_body> write_scatter_elements(const written_call& c) {
    if (auto can = has_places(c); !can) return can.failure();
    const auto how = read<scatter_elements_attributes>(c.call);
    const auto x = c.extents(0);
    auto updated = updated_elements::of(c, how.reduction);
    if (!updated) return updated.failure();
    c_lines body;
    updated->begin(body);
    open_element_places(body, c, *axis_of(how.axis, x.size()));
    updated->update(body, "place", "k");
    body.close(x.size());
    return updated->end(std::move(body));
}

/// A copy in which the rows that indices along several axes name are updated, one after the other.
[[nodiscard]] inline outcome<written_body> write_scatter_nd(const written_call& c) {
    if (auto can = has_places(c); !can) return can.failure();
    const auto x = c.extents(0), at = c.extents(1);
    const std::string row = std::to_string(extent_product(x, static_cast<std::size_t>(at.back()), x.size()));
    auto updated = updated_elements::of(c, read<scatter_nd_attributes>(c.call).reduction);
    if (!updated) return updated.failure();
    c_lines body;
    updated->begin(body);
    body.loop("r", open_row_places(body, c, 0));
    updated->update(body, "place + r", "k * " + row + " + r");
    body.close(3);
    return updated->end(std::move(body));
}

inline constexpr written_entry written_scatters[] = {{"onnx.ScatterElements", &write_scatter_elements},
                                                     {"onnx.ScatterND", &write_scatter_nd}};

}  // namespace inlay::portable

#endif
