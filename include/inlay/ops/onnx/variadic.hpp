// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_VARIADIC_HPP
#define INLAY_OPS_ONNX_VARIADIC_HPP

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>

namespace inlay {
namespace detail {

struct max_op {
    static constexpr std::string_view name = "onnx.Max";
    using scalars = numeric_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x, T y) {
        return x != x || x > y ? x : y;  // NaN on either side stays
    }
};

struct min_op {
    static constexpr std::string_view name = "onnx.Min";
    using scalars = numeric_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x, T y) {
        return x != x || x < y ? x : y;
    }
};

struct sum_op : add_op {
    static constexpr std::string_view name = "onnx.Sum";
    using scalars = floating_scalars;
};

struct mean_op : add_op {
    static constexpr std::string_view name = "onnx.Mean";
    using scalars = floating_scalars;
};

/// Any number of operands, at least one, of one element type, stretched to one shape.
inline outcome<node_type> infer_variadic(const call_view& call, element_mask allowed) {
    if (auto wrong = wrong_arity(call, call.arity() == 0 ? 1 : call.arity(), std::numeric_limits<std::size_t>::max()))
        return std::move(*wrong);
    tensor_type met = call.type(0);
    for (std::size_t i = 0; i < call.arity(); ++i) {
        if (auto wrong = wrong_element(call, i, allowed)) return std::move(*wrong);
        const node_type sofar(met);
        const node_type* const two[] = {&sofar, call.types[i]};
        auto next = stretched_type({call.op, call.attributes, two, {}, 1}, 0, 1);
        if (!next) return next.failure();
        met = std::move(*next);
    }
    return node_type(std::move(met));
}

template <class Op>
outcome<node_type> infer_variadic_of(const call_view& call) {
    return infer_variadic(call, elements(typename Op::scalars()));
}

inline outcome<tensor> combine_all(const call_view& call, std::span<const tensor> operands, const loop_table& loops) {
    tensor result = operands[0];
    for (std::size_t i = 1; i < operands.size(); ++i) {
        auto next = combine(call, result, operands[i], loops, false, {});
        if (!next) return next;
        result = std::move(*next);
    }
    return result;
}

template <class Op>
outcome<std::vector<tensor>> evaluate_variadic(const call_view& call, std::span<const tensor> operands) {
    auto result = combine_all(call, operands, binary_loops_of<Op>);
    if (!result) return result.failure();
    return std::vector<tensor>{std::move(*result)};
}

inline outcome<std::vector<tensor>> evaluate_mean(const call_view& call, std::span<const tensor> operands) {
    auto sum = combine_all(call, operands, binary_loops_of<mean_op>);
    if (!sum) return sum.failure();
    tensor count(sum->element(), {});
    visit_element_type(floating_scalars(), sum->element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        count.as<T>()[0] = static_cast<T>(operands.size());
    });
    auto result = combine(call, *sum, count, binary_loops_of<div_op>, false, {});
    if (!result) return result.failure();
    return std::vector<tensor>{std::move(*result)};
}

inline op_work work_variadic(const call_view& call, const node_type& result) {
    return work_per_element(call, result, static_cast<double>(call.arity() - 1));
}

template <class Op>
inline constexpr op_definition variadic{Op::name, op_kind::broadcast, infer_variadic_of<Op>, evaluate_variadic<Op>, work_variadic};

}  // namespace detail

/// Operators of any number of operands.
template <class = void>
struct onnx_variadics {
    static constexpr op_definition table[] = {
        detail::variadic<detail::max_op>,
        detail::variadic<detail::min_op>,
        detail::variadic<detail::sum_op>,
        {"onnx.Mean", op_kind::broadcast, detail::infer_variadic_of<detail::mean_op>, detail::evaluate_mean, detail::work_variadic},
    };
};

}  // namespace inlay

#endif
