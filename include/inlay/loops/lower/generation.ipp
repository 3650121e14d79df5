// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_GENERATION_IPP
#define INLAY_LOOPS_LOWER_GENERATION_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/loops/lower/generation.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/run/scalar_value.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/onnx/generation.hpp>
#include <inlay/ops/onnx/masking.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay::detail {

/// The one number of an operand.
[[nodiscard]] inline expression_id only_element(const lowered_call& c, std::size_t i) {
    return c.operands[i].read(std::vector<affine>(c.extents_of(i).size()));
}

/// A number from the first one on, in steps.
[[nodiscard]] inline outcome<lowered_tensor> lower_range(const lowered_call& c) {
    return c.nest.computed(c.extents, c.element, 2, [c](const std::vector<affine>& at) {
        const expression_id number = c.build().cast(c.build().index(at[0]), c.element);
        return c.apply(scalar_function::add, only_element(c, 0), c.apply(scalar_function::multiply, number, only_element(c, 2)));
    });
}

[[nodiscard]] inline outcome<lowered_tensor> lower_constant_of_shape(const lowered_call& c) {
    const auto repeated = repeated_value(c.call);
    if (!repeated) return repeated.failure();
    if (size_of(repeated->element()) == 0) return error{"texts have no loop nest"};
    return c.nest.computed(c.extents, c.element, 1, [c, value = load_scalar(c.element, repeated->data())](const std::vector<affine>&) {
        return is_floating(c.element) ? c.build().number(value.number, c.element) : c.build().integer(value.integer, c.element);
    });
}

/// Ones on a diagonal.
[[nodiscard]] inline outcome<lowered_tensor> lower_eye_like(const lowered_call& c) {
    const std::int64_t shift = read<eye_like_attributes>(c.call).k;
    if (c.element == element_type::boolean) return error{"truth values on a diagonal have no loop nest"};
    return c.nest.computed(c.extents, c.element, 1, [c, shift](const std::vector<affine>& at) {
        const affine apart = at[1] - at[0] - affine(shift);
        return c.build().within({{0, apart, 1}}, c.number(1), c.number(0));
    });
}

/// A triangle of each matrix.
[[nodiscard]] inline outcome<lowered_tensor> lower_trilu(const lowered_call& c) {
    const auto shift = c.has(1) ? known_number(c.call, 1) : std::int64_t{0};
    if (!shift) return error{"a triangle whose diagonal is not known has no loop nest"};
    const std::size_t rank = c.extents.size();
    const std::int64_t k = std::clamp(*shift, -c.extents[rank - 2], c.extents[rank - 1]);
    if (c.element == element_type::boolean) return error{"a triangle of truth values has no loop nest"};
    const bool is_upper = read<trilu_attributes>(c.call).upper;
    return c.nest.computed(c.extents, c.element, 1 + c.operands[0].cost, [c, k, is_upper](const std::vector<affine>& at) {
        const affine apart = at[at.size() - 1] - at[at.size() - 2] - affine(k);
        const affine_bound inside = is_upper ? affine_bound{0, apart, INT64_MAX} : affine_bound{INT64_MIN, apart, 1};
        return c.build().within({inside}, c.operands[0].read(at), c.number(0));
    });
}

[[nodiscard]] inline outcome<lowered_tensor> lower_one_hot(const lowered_call& c) {
    const auto axis = axis_of(read<one_hot_attributes>(c.call).axis, c.extents.size());
    if (!axis) return error{"an axis that there is not has no loop nest"};
    return c.nest.computed(c.extents, c.element, 3 + c.operands[0].cost, [c, axis = *axis](const std::vector<affine>& at) {
        std::vector<affine> from = at;
        from.erase(from.begin() + static_cast<std::ptrdiff_t>(axis));
        using f = scalar_function;
        const expression_id index = c.build().cast(c.operands[0].read(from), element_type::int64);
        // Negative ones count from the end.
        const expression_id here = c.apply(f::equal, index, c.build().index(at[axis]));
        const expression_id from_end = c.apply(f::equal, index, c.build().index(at[axis] - affine(c.extents[axis])));
        return c.build().choose(c.apply(f::logical_or, here, from_end), c.operands[2].read({affine(1)}), c.operands[2].read({affine(0)}));
    });
}

inline constexpr lowering_entry generation_entries[] = {{"onnx.Range", &lower_range},
                                                        {"onnx.ConstantOfShape", &lower_constant_of_shape},
                                                        {"onnx.EyeLike", &lower_eye_like},
                                                        {"onnx.Trilu", &lower_trilu},
                                                        {"onnx.OneHot", &lower_one_hot}};

std::span<const lowering_entry> generation_lowerings() { return generation_entries; }

}  // namespace inlay::detail

#endif
