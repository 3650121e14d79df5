// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_STRETCHING_IPP
#define INLAY_OPS_LOOPS_STRETCHING_IPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ops/loops/stretching.hpp>

#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/index_list.hpp>
#include <inlay/ops/loops/strided_copy.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/onnx/broadcasting.hpp>

namespace inlay::detail {

error negative_entry(const call_view& call, std::int64_t value) {
    return error{short_name(call.op) + " has an entry of " + std::to_string(value) + " in its list of extents, which must not be negative"};
}

outcome<node_type> infer_expand(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 2)) return std::move(*wrong);
    const auto list = index_list_of(call, 1);
    if (!list) return list.failure();
    const tensor_type& x = call.type(0);
    if (!x.ranked || !list->count) return node_type(tensor_type(x.element));
    shape target(*list->count);
    if (list->known())
        for (std::size_t i = 0; i < target.size(); ++i) {
            if ((*list->values)[i] < 0) return negative_entry(call, (*list->values)[i]);
            target[i] = extent((*list->values)[i]);
        }
    auto result = stretched_shape(x.extents, target);
    if (!result)
        return error{"Expand cannot stretch " + to_string(x) + " and a shape " + to_string(tensor_type(x.element, target)) + " to one"};
    return countable_type(call, tensor_type(x.element, std::move(*result)));
}

outcome<void> fill_expand(const call_view&, std::span<const tensor> operands, std::span<tensor> results) {
    copy_strided(operands[0], 0, stretched_strides(operands[0].extents(), results[0].extents()), results[0]);
    return {};
}

outcome<node_type> infer_tile(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 2)) return std::move(*wrong);
    const auto list = index_list_of(call, 1);
    if (!list) return list.failure();
    const tensor_type& x = call.type(0);
    if (!x.ranked) return list->count ? node_type(tensor_type(x.element, shape(*list->count))) : node_type(tensor_type(x.element));
    if (list->count && *list->count != x.rank())
        return error{"Tile has " + std::to_string(*list->count) + " repeats for an operand of type " + to_string(x)};
    if (!list->known()) return node_type(tensor_type(x.element, shape(x.rank())));
    shape result;
    for (std::size_t i = 0; i < x.rank(); ++i) {
        const std::int64_t repeats = (*list->values)[i];
        if (repeats < 0) return negative_entry(call, repeats);
        const extent factors[] = {x.extents[i], extent(repeats)};
        auto product = extent_product(factors);
        if (!product)
            return error{"Tile repeats axis " + std::to_string(i) + " of " + to_string(x) + " " + std::to_string(repeats) +
                         " times, which is beyond counting"};
        result.push_back(std::move(*product));
    }
    return countable_type(call, tensor_type(x.element, std::move(result)));
}

outcome<void> fill_tile(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    if (results[0].count() == 0) return {};
    // Each axis is read as two, of which the outer one stands still in the operand.
    const auto repeats = integers_of(operands[1]);
    if (!repeats) return error{short_name(call.op) + " needs repeats of integers"};
    const auto strides = row_major_strides(operands[0].extents());
    std::vector<std::int64_t> extents, steps;
    for (std::size_t i = 0; i < operands[0].rank(); ++i) {
        extents.insert(extents.end(), {(*repeats)[i], operands[0].extents()[i]});
        steps.insert(steps.end(), {0, strides[i]});
    }
    tensor view = results[0].reshaped(std::move(extents));
    copy_strided(operands[0], 0, steps, view);
    return {};
}

}  // namespace inlay::detail

#endif
