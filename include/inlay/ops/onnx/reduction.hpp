// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_REDUCTION_HPP
#define INLAY_OPS_ONNX_REDUCTION_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/ops/attributes/reduction_attributes.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>

namespace inlay {
namespace detail {

/// What a reduction adds up in: float64 for floats, 64 bits for integers, which wrap.
template <class T>
using accumulator =
    std::conditional_t<std::is_floating_point_v<T>, double, std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

template <class T>
T wrapped_sum(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return a + b;
    else
        return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
template <class T>
T wrapped_product(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return a * b;
    else
        return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

using reduced_scalars = scalar_list<float, double, std::int32_t, std::int64_t, std::uint32_t, std::uint64_t>;

// A reduction is an empty type with `name`, `scalars`, `flops` per element read, `first<T, A>()` (of nothing), `step(A sum, T x)` and
// `last<T>(A sum, double count)`, where A is `accumulator<T>`.
struct sum_reduction {
    using scalars = reduced_scalars;
    static constexpr double flops = 1;
    template <class T, class A>
    static A first() {
        return A(0);
    }
    template <class T, class A>
    static A step(A sum, T x) {
        return wrapped_sum(sum, static_cast<A>(x));
    }
    template <class T, class A>
    static T last(A sum, double) {
        return static_cast<T>(sum);
    }
};
struct reduce_sum : sum_reduction {
    static constexpr std::string_view name = "onnx.ReduceSum";
};
struct reduce_mean : sum_reduction {
    static constexpr std::string_view name = "onnx.ReduceMean";
    template <class T, class A>
    static T last(A sum, double count) {
        if constexpr (std::is_floating_point_v<T>)
            return static_cast<T>(sum / count);
        else
            return count == 0 ? T(0) : static_cast<T>(sum / static_cast<A>(count));
    }
};
struct reduce_log_sum : sum_reduction {
    static constexpr std::string_view name = "onnx.ReduceLogSum";
    template <class T, class A>
    static T last(A sum, double) {
        return static_cast<T>(std::log(static_cast<double>(sum)));
    }
};
struct reduce_l1 : sum_reduction {
    static constexpr std::string_view name = "onnx.ReduceL1";
    static constexpr double flops = 2;
    template <class T, class A>
    static A step(A sum, T x) {
        const A wide = static_cast<A>(x);
        return wrapped_sum(sum, wide < A(0) ? wrapped_product(A(-1), wide) : wide);
    }
};
struct reduce_sum_square : sum_reduction {
    static constexpr std::string_view name = "onnx.ReduceSumSquare";
    static constexpr double flops = 2;
    template <class T, class A>
    static A step(A sum, T x) {
        return wrapped_sum(sum, wrapped_product(static_cast<A>(x), static_cast<A>(x)));
    }
};
struct reduce_l2 : reduce_sum_square {
    static constexpr std::string_view name = "onnx.ReduceL2";
    template <class T, class A>
    static T last(A sum, double) {
        return static_cast<T>(std::sqrt(static_cast<double>(sum)));
    }
};
struct reduce_prod : sum_reduction {
    static constexpr std::string_view name = "onnx.ReduceProd";
    template <class T, class A>
    static A first() {
        return A(1);
    }
    template <class T, class A>
    static A step(A sum, T x) {
        return wrapped_product(sum, static_cast<A>(x));
    }
};
struct reduce_max : sum_reduction {
    static constexpr std::string_view name = "onnx.ReduceMax";
    using scalars = all_scalars;  // of truth values, false is the smaller one
    template <class T, class A>
    static A first() {
        return std::is_floating_point_v<T> ? -std::numeric_limits<A>::infinity() : static_cast<A>(std::numeric_limits<T>::lowest());
    }
    template <class T, class A>
    static A step(A sum, T x) {
        const A wide = static_cast<A>(x);
        return wide > sum || wide != wide ? wide : sum;
    }
};
struct reduce_min : sum_reduction {
    static constexpr std::string_view name = "onnx.ReduceMin";
    using scalars = all_scalars;  // of truth values, false is the smaller one
    template <class T, class A>
    static A first() {
        return std::is_floating_point_v<T> ? std::numeric_limits<A>::infinity() : static_cast<A>(std::numeric_limits<T>::max());
    }
    template <class T, class A>
    static A step(A sum, T x) {
        const A wide = static_cast<A>(x);
        return wide < sum || wide != wide ? wide : sum;
    }
};

/// Which axes a reduction call goes over, as far as that is known: from the operand `axes`, or all. One flag per axis of the data.
[[nodiscard]] inline outcome<std::optional<std::vector<bool>>> reduced_axes(const call_view& call, std::size_t rank) {
    std::vector<std::int64_t> axes;
    if (call.has(1)) {
        const tensor* value = call.constant(1);
        if (value == nullptr) {
            const tensor_type& type = call.type(1);
            const bool none = type.is_static() && type.rank() == 1 && type.extents[0].size == 0;
            if (!none) return std::optional<std::vector<bool>>();
        } else {
            const auto numbers = integers_of(*value);
            if (!numbers) return error{short_name(call.op) + " has axes of type " + to_string(value->type()) + ", which must be integers"};
            axes = *numbers;
        }
    }
    const bool all = axes.empty() && !read<reduce_attributes>(call).noop_with_empty_axes;
    std::vector<bool> reduced(rank, all);
    for (const std::int64_t a : axes) {
        const auto axis = axis_of(a, rank);
        if (!axis) return no_such_axis(call, a, rank);
        reduced[*axis] = true;
    }
    return std::optional(std::move(reduced));
}

inline outcome<node_type> infer_reduction_call(const call_view& call, element_mask allowed) {
    if (auto wrong = wrong_arity(call, 1, 2)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, allowed)) return std::move(*wrong);
    const tensor_type& data = call.type(0);
    if (!data.ranked) return node_type(tensor_type(data.element));
    auto reduced = reduced_axes(call, data.rank());
    if (!reduced) return reduced.failure();
    const bool keeps = read<reduce_attributes>(call).keepdims;
    if (!*reduced) return node_type(keeps ? tensor_type(data.element, shape(data.rank())) : tensor_type(data.element));
    shape extents;
    for (std::size_t i = 0; i < data.rank(); ++i) {
        if (!(**reduced)[i])
            extents.push_back(data.extents[i]);
        else if (keeps)
            extents.emplace_back(1);
    }
    return node_type(tensor_type(data.element, std::move(extents)));
}

/// The axes of a tensor, neighbours of one fate merged, outermost first.
struct reduction_walk {
    std::vector<std::int64_t> extents;
    std::vector<bool> reduced;
    std::int64_t kept_count = 1, reduced_count = 1;
};

[[nodiscard]] inline reduction_walk walk_of(const std::vector<std::int64_t>& extents, const std::vector<bool>& reduced) {
    reduction_walk w;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        (reduced[i] ? w.reduced_count : w.kept_count) *= extents[i];
        if (!w.extents.empty() && w.reduced.back() == reduced[i]) {
            w.extents.back() *= extents[i];
        } else {
            w.extents.push_back(extents[i]);
            w.reduced.push_back(reduced[i]);
        }
    }
    if (w.extents.empty()) {
        w.extents.push_back(1);
        w.reduced.push_back(true);
    }
    return w;
}

/// Calls `row(first element, count, first result, reduced)` for every innermost row of the data, in order of memory: all of the row goes to
/// one result where the innermost axis is reduced, else to results one after the other.
template <class Row>
void for_each_reduced_row(const reduction_walk& w, Row&& row) {
    const std::size_t inner = w.extents.size() - 1;
    std::vector<std::int64_t> stride(w.extents.size(), 0), index(w.extents.size(), 0);
    std::int64_t step = 1, rows = 1;
    for (std::size_t i = w.extents.size(); i-- > 0;) {
        if (!w.reduced[i]) {
            stride[i] = step;
            step *= w.extents[i];
        }
        if (i != inner) rows *= w.extents[i];
    }
    std::int64_t to = 0;
    for (std::int64_t r = 0; r < rows; ++r) {
        row(r * w.extents[inner], w.extents[inner], to, bool(w.reduced[inner]));
        for (std::size_t i = inner; i-- > 0;) {
            to += stride[i];
            if (++index[i] < w.extents[i]) break;
            to -= stride[i] * w.extents[i];
            index[i] = 0;
        }
    }
}

using reduction_loop = bool (*)(const reduction_walk& w, const std::byte* from, std::byte* to);
using reduction_table = std::array<reduction_loop, element_table.size()>;

template <class Op, class T>
bool reduction_loop_of(const reduction_walk& w, const std::byte* from, std::byte* to) {
    using A = accumulator<T>;
    const T* const x = reinterpret_cast<const T*>(from);
    T* const y = reinterpret_cast<T*>(to);
    tensor sums(element_type_of<A>, {w.kept_count});
    if (!sums.ok()) return false;
    A* const sum = sums.as<A>().data();
    std::fill(sum, sum + w.kept_count, Op::template first<T, A>());
    for_each_reduced_row(w, [&](std::int64_t at, std::int64_t count, std::int64_t result, bool reduced) {
        const T* const row = x + at;
        if (reduced) {
            A s = sum[result];
            for (std::int64_t i = 0; i < count; ++i) s = Op::step(s, row[i]);
            sum[result] = s;
        } else {
            A* const s = sum + result;
            for (std::int64_t i = 0; i < count; ++i) s[i] = Op::step(s[i], row[i]);
        }
    });
    for (std::int64_t i = 0; i < w.kept_count; ++i) y[i] = Op::template last<T, A>(sum[i], static_cast<double>(w.reduced_count));
    return true;
}

/// log of the sum of exponentials, in two passes: the largest element is taken out of the sum, so that nothing overflows.
struct reduce_log_sum_exp {
    static constexpr std::string_view name = "onnx.ReduceLogSumExp";
    using scalars = reduced_scalars;
    static constexpr double flops = 3;
};
template <class T>
bool log_sum_exp_loop(const reduction_walk& w, const std::byte* from, std::byte* to) {
    const T* const x = reinterpret_cast<const T*>(from);
    T* const y = reinterpret_cast<T*>(to);
    tensor sums(element_type::float64, {2, w.kept_count});
    if (!sums.ok()) return false;
    double *const largest = sums.as<double>().data(), *const sum = largest + w.kept_count;
    std::fill(largest, sum, -std::numeric_limits<double>::infinity());
    for (const bool first : {true, false})
        for_each_reduced_row(w, [&](std::int64_t at, std::int64_t count, std::int64_t result, bool reduced) {
            for (std::int64_t i = 0; i < count; ++i) {
                const std::int64_t r = reduced ? result : result + i;
                const auto v = static_cast<double>(x[at + i]);
                if (first)
                    largest[r] = v > largest[r] || v != v ? v : largest[r];
                else
                    sum[r] += std::isinf(largest[r]) ? (v == largest[r] ? 1.0 : 0.0) : std::exp(v - largest[r]);
            }
        });
    for (std::int64_t i = 0; i < w.kept_count; ++i) y[i] = static_cast<T>(largest[i] + std::log(sum[i]));
    return true;
}

template <class Op, class... T>
constexpr reduction_table reduction_loops(scalar_list<T...>) {
    reduction_table loops{};
    if constexpr (std::is_same_v<Op, reduce_log_sum_exp>)
        ((loops[static_cast<std::size_t>(element_type_of<T>)] = &log_sum_exp_loop<T>), ...);
    else
        ((loops[static_cast<std::size_t>(element_type_of<T>)] = &reduction_loop_of<Op, T>), ...);
    return loops;
}

inline outcome<std::vector<tensor>> evaluate_reduction_call(const call_view& call, std::span<const tensor> operands,
                                                            const reduction_table& loops) {
    const tensor& data = operands[0];
    const reduction_loop loop = loops[static_cast<std::size_t>(data.element())];
    if (loop == nullptr) return no_loop(call, data.element());
    auto reduced = reduced_axes(call, data.rank());
    if (!reduced) return reduced.failure();
    if (!*reduced) return error{short_name(call.op) + " was run without the value of its axes"};
    const bool keeps = read<reduce_attributes>(call).keepdims;
    // No axis at all with `noop_with_empty_axes`: the elements as they are, without the function that a reduction ends with.
    if (!std::count((**reduced).begin(), (**reduced).end(), true) && read<reduce_attributes>(call).noop_with_empty_axes)
        return std::vector<tensor>{data};
    std::vector<std::int64_t> extents;
    for (std::size_t i = 0; i < data.rank(); ++i) {
        if (!(**reduced)[i])
            extents.push_back(data.extents()[i]);
        else if (keeps)
            extents.push_back(1);
    }
    tensor result(data.element(), std::move(extents));
    if (!result.ok() || !loop(walk_of(data.extents(), **reduced), data.data(), result.data())) return no_memory(call, data.type());
    return std::vector<tensor>{std::move(result)};
}

template <class Op>
inline constexpr reduction_table reduction_loops_of = reduction_loops<Op>(typename Op::scalars());

template <class Op>
outcome<node_type> infer_reduction(const call_view& call) {
    return infer_reduction_call(call, elements(typename Op::scalars()));
}
template <class Op>
outcome<std::vector<tensor>> evaluate_reduction(const call_view& call, std::span<const tensor> operands) {
    return evaluate_reduction_call(call, operands, reduction_loops_of<Op>);
}
template <class Op>
op_work work_of_reduction(const call_view& call, const node_type& result) {
    return {Op::flops * elements_of(call.type(0)), bytes_moved(call, result)};
}
template <class Op>
inline constexpr op_definition reduction{Op::name, op_kind::reduction, infer_reduction<Op>, evaluate_reduction<Op>, work_of_reduction<Op>};

}  // namespace detail

/// Reductions over axes that are an operand; none means all.
template <class = void>
struct onnx_reductions {
    static constexpr auto table = with_attributes<reduce_attributes>({
        detail::reduction<detail::reduce_l1>,
        detail::reduction<detail::reduce_l2>,
        detail::reduction<detail::reduce_log_sum>,
        detail::reduction<detail::reduce_log_sum_exp>,
        detail::reduction<detail::reduce_max>,
        detail::reduction<detail::reduce_mean>,
        detail::reduction<detail::reduce_min>,
        detail::reduction<detail::reduce_prod>,
        detail::reduction<detail::reduce_sum>,
        detail::reduction<detail::reduce_sum_square>,
    });
};

}  // namespace inlay

#endif
