// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_INDEX_LIST_IPP
#define INLAY_OPS_LOOPS_INDEX_LIST_IPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/ops/loops/index_list.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay {

outcome<index_list> index_list_of(const call_view& call, std::size_t i) {
    index_list list;
    if (!call.has(i)) return list;
    list.present = true;
    const tensor_type& type = call.type(i);
    const element_mask integers = mask_of(element_type::int64) | mask_of(element_type::int32) | mask_of(element_type::none);
    if ((mask_of(type.element) & integers) == 0 || (type.ranked && type.rank() > 1))
        return error{short_name(call.op) + " has operand " + std::to_string(i) + " of type " + to_string(type) +
                     ", where a list of integers is expected"};
    if (type.is_static()) {
        const std::int64_t count = type.rank() == 0 ? 1 : type.extents[0].size;
        if (count > largest_rank)
            return error{short_name(call.op) + " has operand " + std::to_string(i) + " with " + std::to_string(count) +
                         " entries, where at most " + std::to_string(largest_rank) + " are expected"};
        list.count = static_cast<std::size_t>(count);
    }
    if (const tensor* value = call.constant(i); value != nullptr && value->ok()) {
        list.values = integers_of(*value);
        if (list.values) list.count = list.values->size();
    }
    return list;
}

outcome<std::vector<std::size_t>> distinct_axes(const call_view& call, const std::vector<std::int64_t>& list, std::size_t rank) {
    std::vector<std::size_t> axes;
    std::vector<bool> named(rank, false);
    for (const std::int64_t a : list) {
        const auto axis = axis_of(a, rank);
        if (!axis) return no_such_axis(call, a, rank);
        if (named[*axis]) return error{short_name(call.op) + " names axis " + std::to_string(*axis) + " twice"};
        named[*axis] = true;
        axes.push_back(*axis);
    }
    return axes;
}

}  // namespace inlay

#endif
