// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_MOVEMENT_HPP
#define INLAY_LOOPS_LOWER_MOVEMENT_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/onnx/transposition.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay::detail {

[[nodiscard]] inline outcome<lowered_tensor> lower_transpose(const lowered_call& c) {
    const auto order = axis_order_of(c.call, c.extents.size());
    if (!order) return order.failure();
    return c.nest.computed(c.extents, c.element, 1 + c.operands[0].cost,
                           [x = c.operands[0], order = *order](const std::vector<affine>& at) {
                               std::vector<affine> from(at.size());
                               for (std::size_t i = 0; i < at.size(); ++i) from[order[i]] = at[i];
                               return x.read(from);
                           });
}

/// The same elements under other extents.
[[nodiscard]] inline outcome<lowered_tensor> lower_reshape(const lowered_call& c) { return c.nest.viewed(c.operands[0], c.extents); }

[[nodiscard]] inline outcome<lowered_tensor> lower_concat(const lowered_call& c) {
    const auto axis = axis_of(read<concat_attributes>(c.call).axis.value_or(0), c.extents.size());
    if (!axis) return error{"parts put together along an axis that there is not have no loop nest"};
    std::vector<lowered_tensor> parts;
    for (const lowered_tensor& t : c.operands) parts.push_back(c.nest.stored(t));
    return c.nest.computed(c.extents, c.element, parts.size(), [c, parts, axis = *axis](const std::vector<affine>& at) {
        // From the last part: whoever is asked takes what those before it have not.
        std::int64_t begin = c.extents[axis];
        expression_id all = c.number(0);
        for (std::size_t i = parts.size(); i-- > 0;) {
            begin -= parts[i].extents[axis];
            std::vector<affine> own = at;
            own[axis] += affine(-begin);
            const expression_id element = parts[i].read(own);
            all = c.build().within({{0, own[axis], parts[i].extents[axis]}}, element, all);
        }
        return all;
    });
}

inline constexpr lowering_entry movement_lowerings[] = {{"onnx.Transpose", &lower_transpose}, {"onnx.Reshape", &lower_reshape},
                                                        {"onnx.Flatten", &lower_reshape},     {"onnx.Squeeze", &lower_reshape},
                                                        {"onnx.Unsqueeze", &lower_reshape},   {"onnx.Concat", &lower_concat}};

}  // namespace inlay::detail

#endif
