// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_ARG_REDUCTION_HPP
#define INLAY_OPS_ONNX_ARG_REDUCTION_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <inlay/ops/attributes/reduction_attributes.hpp>
#include <inlay/ops/loops/axis_lines.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>
#include <inlay/ops/onnx/reduction.hpp>

namespace inlay {
namespace detail {

inline outcome<node_type> infer_arg_reduction(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, elements(numeric_scalars()))) return std::move(*wrong);
    const tensor_type& data = call.type(0);
    if (!data.ranked) return node_type(tensor_type(element_type::int64));
    const std::int64_t attribute = read<arg_reduce_attributes>(call).axis;
    const auto axis = axis_of(attribute, data.rank());
    if (!axis) return no_such_axis(call, attribute, data.rank());
    shape extents = data.extents;
    if (extents[*axis].is_known() && extents[*axis].size == 0)
        return error{short_name(call.op) + " has no element to choose along axis " + std::to_string(*axis)};
    if (read<arg_reduce_attributes>(call).keepdims)
        extents[*axis] = extent(1);
    else
        extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(*axis));
    return node_type(tensor_type(element_type::int64, std::move(extents)));
}

template <bool Largest>
outcome<std::vector<tensor>> evaluate_arg_reduction(const call_view& call, std::span<const tensor> operands) {
    const tensor& data = operands[0];
    const auto axis = axis_of(read<arg_reduce_attributes>(call).axis, data.rank());
    if (!axis) return no_such_axis(call, read<arg_reduce_attributes>(call).axis, data.rank());
    std::vector<std::int64_t> extents = data.extents();
    if (read<arg_reduce_attributes>(call).keepdims)
        extents[*axis] = 1;
    else
        extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(*axis));
    tensor result(element_type::int64, std::move(extents));
    if (!result.ok()) return no_memory(call, data.type());
    const axis_lines lines = axis_lines::of(data.extents(), *axis);
    const bool last = read<arg_reduce_attributes>(call).select_last_index;
    const bool known = visit_element_type(numeric_scalars(), data.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        const T* const x = data.as<T>().data();
        std::int64_t* const y = result.as<std::int64_t>().data();
        for (std::int64_t line = 0; line < lines.count(); ++line) {
            const T* const at = x + lines.begin(line);
            std::int64_t best = 0;
            for (std::int64_t i = 1; i < lines.length; ++i) {
                const T a = at[i * lines.step], b = at[best * lines.step];
                // A NaN is chosen before any number, and stays chosen.
                const bool better = b == b && (a != a || (Largest ? a > b : a < b));
                if (better || (last && (a == b || (a != a && b != b)))) best = i;
            }
            y[line] = best;
        }
    });
    if (!known) return no_loop(call, data.element());
    return std::vector<tensor>{std::move(result)};
}

inline op_work work_arg_reduction(const call_view& call, const node_type& result) {
    return {elements_of(call.type(0)), bytes_moved(call, result)};
}

inline outcome<node_type> infer_cumulative_sum(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 2)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, elements(reduced_scalars()))) return std::move(*wrong);
    if (const tensor* axis = call.constant(1); axis != nullptr && call.type(0).ranked) {
        const auto numbers = integers_of(*axis);
        if (!numbers || numbers->size() != 1)
            return error{"CumSum needs one integer as its axis and has a tensor of type " + to_string(axis->type())};
        if (!axis_of((*numbers)[0], call.type(0).rank())) return no_such_axis(call, (*numbers)[0], call.type(0).rank());
    }
    return node_type(call.type(0));
}

inline outcome<std::vector<tensor>> evaluate_cumulative_sum(const call_view& call, std::span<const tensor> operands) {
    const tensor& data = operands[0];
    const auto numbers = integers_of(operands[1]);
    const auto axis = numbers && numbers->size() == 1 ? axis_of((*numbers)[0], data.rank()) : std::nullopt;
    if (!axis) return error{"CumSum has an axis that its operand of type " + to_string(data.type()) + " does not have"};
    tensor result(data.element(), data.extents());
    if (!result.ok()) return no_memory(call, data.type());
    const axis_lines lines = axis_lines::of(data.extents(), *axis);
    const bool exclusive = read<cum_sum_attributes>(call).exclusive, reverse = read<cum_sum_attributes>(call).reverse;
    const bool known = visit_element_type(reduced_scalars(), data.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        using A = accumulator<T>;
        const T* const x = data.as<T>().data();
        T* const y = result.as<T>().data();
        for (std::int64_t line = 0; line < lines.count(); ++line) {
            const std::int64_t begin = lines.begin(line);
            A sum = 0;
            for (std::int64_t i = 0; i < lines.length; ++i) {
                const std::int64_t at = begin + (reverse ? lines.length - 1 - i : i) * lines.step;
                const A next = wrapped_sum(sum, static_cast<A>(x[at]));
                y[at] = static_cast<T>(exclusive ? sum : next);
                sum = next;
            }
        }
    });
    if (!known) return no_loop(call, data.element());
    return std::vector<tensor>{std::move(result)};
}

}  // namespace detail

/// Places of the largest and the least element, and running sums.
template <class = void>
struct onnx_arg_reductions {
    static constexpr auto table = with_attributes<arg_reduce_attributes, cum_sum_attributes>({
        {"onnx.ArgMax", op_kind::reduction, detail::infer_arg_reduction, detail::evaluate_arg_reduction<true>, detail::work_arg_reduction},
        {"onnx.ArgMin", op_kind::reduction, detail::infer_arg_reduction, detail::evaluate_arg_reduction<false>, detail::work_arg_reduction},
        {"onnx.CumSum", op_kind::reduction, detail::infer_cumulative_sum, detail::evaluate_cumulative_sum, detail::work_arg_reduction},
    });
};

}  // namespace inlay

#endif
