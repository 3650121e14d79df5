// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_SLICING_HPP
#define INLAY_OPS_ONNX_SLICING_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/ops/loops/evaluate_by_filling.hpp>
#include <inlay/ops/loops/index_list.hpp>
#include <inlay/ops/loops/strided_copy.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/onnx/reshaping.hpp>

namespace inlay {

/// What a slice takes of one axis: `count` elements from `first` on, `step` apart.
struct axis_slice {
    std::int64_t first = 0, step = 1, count = 0;
};

/// The slice from `start` up to but not including `end` of an axis of extent `size`, as ONNX's text defines it. Negative places count from
/// the end, and a negative step walks backwards. A start beyond the axis is moved to its nearest element, the first one included; NumPy has
/// an empty slice if a negative step starts before the axis. An end is moved to one place beyond the axis. Precondition: the step is not 0.
[[nodiscard]] inline axis_slice sliced_axis(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size) {
    // Steps beyond the axis all take one element; bounding them keeps the sums below from overflowing.
    step = std::clamp(step, -size - 1, size + 1);
    if (start < 0) start += size;
    if (end < 0) end += size;
    const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
    start = std::clamp(start, in_force<"ops.slice.backwards">() ? std::min<std::int64_t>(0, high) : low, high);
    end = std::clamp(end, low, high);
    const std::int64_t span = step > 0 ? end - start : start - end, stride = step > 0 ? step : -step;
    const std::int64_t count = span <= 0 ? 0 : (span + stride - 1) / stride;
    return {count == 0 ? 0 : start, step, count};
}

namespace detail {

/// The lists of a Slice, with defaults for those that are left out.
struct slice_lists {
    index_list starts, ends, axes, steps;
};

inline outcome<slice_lists> slice_lists_of(const call_view& call) {
    slice_lists s;
    std::optional<std::size_t> count;
    index_list* const lists[] = {&s.starts, &s.ends, &s.axes, &s.steps};
    for (std::size_t i = 0; i < 4; ++i) {
        auto list = index_list_of(call, i + 1);
        if (!list) return list.failure();
        *lists[i] = std::move(*list);
        if (!lists[i]->count) continue;
        if (count && *count != *lists[i]->count)
            return error{"Slice has " + std::to_string(*lists[i]->count) + " entries in operand " + std::to_string(i + 1) + ", where " +
                         std::to_string(*count) + " are expected"};
        count = lists[i]->count;
    }
    if (!count) return s;
    if (!s.axes.present) {
        s.axes.values.emplace();
        for (std::size_t i = 0; i < *count; ++i) s.axes.values->push_back(static_cast<std::int64_t>(i));
    }
    if (!s.steps.present) s.steps.values.emplace(*count, 1);
    return s;
}

inline outcome<node_type> infer_slice(const call_view& call) {
    if (auto wrong = wrong_arity(call, 3, 5)) return std::move(*wrong);
    const auto s = slice_lists_of(call);
    if (!s) return s.failure();
    const tensor_type& x = call.type(0);
    if (s->steps.known())
        for (const std::int64_t step : *s->steps.values)
            if (step == 0) return error{"Slice has a step of 0, which goes nowhere"};
    if (!x.ranked) return node_type(tensor_type(x.element));
    if (!s->axes.known()) return node_type(tensor_type(x.element, shape(x.rank())));
    const auto axes = distinct_axes(call, *s->axes.values, x.rank());
    if (!axes) return axes.failure();
    shape result = x.extents;
    for (std::size_t i = 0; i < axes->size(); ++i) {
        extent& e = result[(*axes)[i]];
        if (!s->starts.known() || !s->ends.known() || !s->steps.known()) {
            e = extent();
            continue;
        }
        const std::int64_t start = (*s->starts.values)[i], end = (*s->ends.values)[i], step = (*s->steps.values)[i];
        if (e.is_known())
            e = extent(sliced_axis(start, end, step, e.size).count);
        else if (!(step == 1 && start == 0 && end >= INT32_MAX))  // exporters say "to the end" by the largest number they have
            e = extent();
    }
    return node_type(tensor_type(x.element, std::move(result)));
}

inline outcome<void> fill_slice(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const tensor& x = operands[0];
    const auto s = slice_lists_of(call);
    if (!s) return s.failure();
    const auto axes = distinct_axes(call, *s->axes.values, x.rank());
    if (!axes) return axes.failure();
    std::vector<std::int64_t> steps = row_major_strides(x.extents());
    std::int64_t first = 0;
    for (std::size_t i = 0; i < axes->size(); ++i) {
        const std::size_t a = (*axes)[i];
        const axis_slice taken = sliced_axis((*s->starts.values)[i], (*s->ends.values)[i], (*s->steps.values)[i], x.extents()[a]);
        first += taken.first * steps[a];
        steps[a] *= taken.step;
    }
    copy_strided(x, first, steps, results[0]);
    return {};
}

}  // namespace detail

/// Slice: part of a tensor along some axes, by any step.
template <class = void>
struct onnx_slicing {
    static constexpr op_definition table[] = {
        {"onnx.Slice", op_kind::injective, detail::infer_slice, filled<detail::infer_slice, detail::fill_slice>, detail::work_moved},
    };
};

}  // namespace inlay

#endif
