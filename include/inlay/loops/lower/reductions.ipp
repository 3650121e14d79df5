// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_REDUCTIONS_IPP
#define INLAY_LOOPS_LOWER_REDUCTIONS_IPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/loops/lower/reductions.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/ops/attributes/reduction_attributes.hpp>
#include <inlay/ops/onnx/reduction.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay::detail {

reduced_shape::reduced_shape(const std::vector<std::int64_t>& extents, std::vector<bool> axes) : is_over(std::move(axes)) {
    for (std::size_t i = 0; i < extents.size(); ++i) {
        kept.push_back(is_over[i] ? 1 : extents[i]);
        if (is_over[i]) over.push_back(extents[i]);
        if (is_over[i]) count *= static_cast<double>(extents[i]);
    }
}

std::vector<affine> reduced_shape::place(const std::vector<affine>& at, const std::vector<affine>& k) const {
    std::vector<affine> all;
    std::size_t next = 0;
    for (std::size_t i = 0; i < at.size(); ++i) all.push_back(is_over[i] ? k[next++] : at[i]);
    return all;
}

std::vector<affine> reduced_shape::home(const std::vector<affine>& at) const {
    std::vector<affine> all;
    for (std::size_t i = 0; i < at.size(); ++i) all.push_back(is_over[i] ? affine() : at[i]);
    return all;
}

template <scalar_function F, bool IsMean = false>
[[nodiscard]] outcome<lowered_tensor> lower_reduction(const lowered_call& c) {
    const lowered_tensor x = c.nest.stored(c.operands[0]);
    const auto axes = reduced_axes(c.call, x.extents.size());
    if (!axes) return axes.failure();
    if (!*axes) return error{"a reduction over axes that are not known has no loop nest"};
    if (F == scalar_function::maximum || F == scalar_function::minimum)
        if (!is_floating(c.element)) return error{"a least or largest whole number has no loop nest"};
    const reduced_shape s(x.extents, **axes);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double first = F == scalar_function::maximum    ? -infinity
                         : F == scalar_function::minimum  ? infinity
                         : F == scalar_function::multiply ? 1
                                                          : 0;
    lowered_tensor all = reduced_over(c, s, F, first, [&](const std::vector<affine>& at) { return x.read(at); });
    if (!read<reduce_attributes>(c.call).keepdims) all = c.nest.viewed(all, c.extents);
    if (!IsMean) return all;
    return c.nest.computed(c.extents, c.element, 1, [c, all, count = s.count](const std::vector<affine>& at) {
        return c.apply(scalar_function::divide, all.read(at), c.number(count));
    });
}

/// Of what becomes of each element, a sum; and what becomes of that.
enum class sum_of : std::uint8_t { squares, sizes, lengths, logarithm, exponentials };

template <sum_of Kind>
[[nodiscard]] outcome<lowered_tensor> lower_sum(const lowered_call& c) {
    using f = scalar_function;
    const lowered_tensor x = c.nest.stored(c.operands[0]);
    const auto axes = reduced_axes(c.call, x.extents.size());
    if (!axes) return axes.failure();
    if (!*axes) return error{"a reduction over axes that are not known has no loop nest"};
    if (!is_floating(c.element)) return error{"a reduction of whole numbers to other than their sum, product or mean has no loop nest"};
    const reduced_shape s(x.extents, **axes);
    // Of exponentials the largest is taken out, unless it has no end.
    lowered_tensor largest;
    if (Kind == sum_of::exponentials)
        largest = reduced_over(c, s, f::maximum, -std::numeric_limits<double>::infinity(),
                               [&](const std::vector<affine>& at) { return x.read(at); });
    const auto shift = [c, largest, s](const std::vector<affine>& at) {
        const expression_id most = largest.read(s.home(at));
        const expression_id is_finite = c.apply(f::less, c.apply(f::absolute, most), c.number(std::numeric_limits<double>::infinity()));
        return c.build().choose(is_finite, most, c.number(0));
    };
    const lowered_tensor sum = reduced_over(c, s, f::add, 0, [&](const std::vector<affine>& at) {
        const expression_id v = x.read(at);
        if (Kind == sum_of::squares || Kind == sum_of::lengths) return c.apply(f::multiply, v, v);
        if (Kind == sum_of::sizes) return c.apply(f::absolute, v);
        return Kind == sum_of::exponentials ? c.apply(f::exponential, c.apply(f::subtract, v, shift(at))) : v;
    });
    lowered_tensor all = c.nest.computed(s.kept, c.element, 2, [c, sum, shift](const std::vector<affine>& at) {
        const expression_id v = sum.read(at);
        if (Kind == sum_of::lengths) return c.apply(f::square_root, v);
        if (Kind == sum_of::logarithm) return c.apply(f::logarithm, v);
        return Kind == sum_of::exponentials ? c.apply(f::add, c.apply(f::logarithm, v), shift(at)) : v;
    });
    return read<reduce_attributes>(c.call).keepdims ? all : c.nest.viewed(all, c.extents);
}

/// The place of the largest element along an axis, or of the least; of what is not a number before any number.
template <bool Largest>
[[nodiscard]] outcome<lowered_tensor> lower_arg_reduction(const lowered_call& c) {
    using f = scalar_function;
    const auto how = read<arg_reduce_attributes>(c.call);
    const lowered_tensor x = c.nest.stored(c.operands[0]);
    const auto axis = axis_of(how.axis, x.extents.size());
    if (!axis) return error{"a place along an axis that there is not has no loop nest"};
    if (!is_floating(x.element)) return error{"the place of a whole number has no loop nest"};
    std::vector<bool> over(x.extents.size(), false);
    over[*axis] = true;
    const reduced_shape s(x.extents, over);
    const double infinity = std::numeric_limits<double>::infinity();
    const lowered_tensor best = c.nest.reduced(
        s.kept, x.element, s.over, Largest ? f::maximum : f::minimum, c.nest.number(Largest ? -infinity : infinity, x.element),
        [&](const std::vector<affine>& at, const std::vector<affine>& k) { return x.read(s.place(at, k)); });
    const std::int64_t nowhere = how.select_last_index ? -1 : x.extents[*axis];
    const lowered_tensor place =
        c.nest.reduced(s.kept, c.element, s.over, how.select_last_index ? f::maximum : f::minimum, c.build().integer(nowhere),
                       [&](const std::vector<affine>& at, const std::vector<affine>& k) {
                           const expression_id v = x.read(s.place(at, k)), is_none = c.apply(f::logical_not, c.apply(f::equal, v, v));
                           const expression_id is_best = c.apply(f::logical_or, c.apply(f::equal, v, best.read(at)), is_none);
                           return c.build().choose(is_best, c.build().index(k[0]), c.build().integer(nowhere));
                       });
    return how.keepdims ? place : c.nest.viewed(place, c.extents);
}

/// Running sums along an axis.
[[nodiscard]] inline outcome<lowered_tensor> lower_cumulative_sum(const lowered_call& c) {
    const auto how = read<cum_sum_attributes>(c.call);
    const tensor* const known = c.call.constant(1);
    const auto numbers = known != nullptr ? integers_of(*known) : std::nullopt;
    const auto axis = numbers && numbers->size() == 1 ? axis_of((*numbers)[0], c.extents.size()) : std::nullopt;
    if (!axis) return error{"running sums along an axis that is not known have no loop nest"};
    const lowered_tensor x = c.nest.stored(c.operands[0]);
    return c.nest.following(c.extents, c.element, *axis, how.reverse, [&](const std::vector<affine>& at, const auto& so_far) {
        std::vector<affine> before = at;
        before[*axis] += affine(how.reverse ? 1 : -1);
        const affine_bound there{0, before[*axis], c.extents[*axis]};
        const expression_id sum = c.build().within({there}, so_far(before), c.number(0));
        const expression_id next = how.exclusive ? c.build().within({there}, x.read(before), c.number(0)) : x.read(at);
        return c.apply(scalar_function::add, sum, next);
    });
}

template <bool IsLog>
[[nodiscard]] outcome<lowered_tensor> lower_softmax(const lowered_call& c) {
    const lowered_tensor x = c.nest.stored(c.operands[0]);
    const auto axis = axis_of(read<softmax_attributes>(c.call).axis, x.extents.size());
    if (!axis) return error{"a softmax over an axis that there is not has no loop nest"};
    std::vector<bool> over(x.extents.size(), false);
    over[*axis] = true;
    const reduced_shape s(x.extents, over);
    const lowered_tensor most = reduced_over(c, s, scalar_function::maximum, -std::numeric_limits<double>::infinity(), x.read);
    const auto shifted = [c, x, most, s](const std::vector<affine>& at) {
        return c.apply(scalar_function::subtract, x.read(at), most.read(s.home(at)));
    };
    const lowered_tensor powers = c.nest.stored(c.nest.computed(c.extents, c.element, 2, [c, shifted](const std::vector<affine>& at) {
        return c.apply(scalar_function::exponential, shifted(at));
    }));
    const lowered_tensor sum = reduced_over(c, s, scalar_function::add, 0, powers.read);
    return c.nest.computed(c.extents, c.element, 2, [c, shifted, powers, sum, s](const std::vector<affine>& at) {
        const expression_id all = sum.read(s.home(at));
        if (IsLog) return c.apply(scalar_function::subtract, shifted(at), c.apply(scalar_function::logarithm, all));
        return c.apply(scalar_function::divide, powers.read(at), all);
    });
}

inline constexpr lowering_entry reduction_entries[] = {{"onnx.ReduceSum", &lower_reduction<scalar_function::add>},
                                                       {"onnx.ReduceMean", &lower_reduction<scalar_function::add, true>},
                                                       {"onnx.ReduceProd", &lower_reduction<scalar_function::multiply>},
                                                       {"onnx.ReduceMax", &lower_reduction<scalar_function::maximum>},
                                                       {"onnx.ReduceMin", &lower_reduction<scalar_function::minimum>},
                                                       {"onnx.ReduceSumSquare", &lower_sum<sum_of::squares>},
                                                       {"onnx.ReduceL1", &lower_sum<sum_of::sizes>},
                                                       {"onnx.ReduceL2", &lower_sum<sum_of::lengths>},
                                                       {"onnx.ReduceLogSum", &lower_sum<sum_of::logarithm>},
                                                       {"onnx.ReduceLogSumExp", &lower_sum<sum_of::exponentials>},
                                                       {"onnx.ArgMax", &lower_arg_reduction<true>},
                                                       {"onnx.ArgMin", &lower_arg_reduction<false>},
                                                       {"onnx.CumSum", &lower_cumulative_sum},
                                                       {"onnx.Softmax", &lower_softmax<false>},
                                                       {"onnx.LogSoftmax", &lower_softmax<true>}};

std::span<const lowering_entry> reduction_lowerings() { return reduction_entries; }

}  // namespace inlay::detail

#endif
