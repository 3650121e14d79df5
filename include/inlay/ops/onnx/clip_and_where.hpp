// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_CLIP_AND_WHERE_HPP
#define INLAY_OPS_ONNX_CLIP_AND_WHERE_HPP

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ops/onnx/elementwise_definition.hpp>
#include <inlay/ops/onnx/variadic.hpp>

namespace inlay {
namespace detail {

/// Clip has bounds that are operands of one element, each of which may be left out.
inline outcome<node_type> infer_clip(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 3)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, elements(numeric_scalars()))) return std::move(*wrong);
    tensor_type result = call.type(0);
    for (std::size_t i = 1; i < 3; ++i) {
        if (!call.has(i)) continue;
        const tensor_type& bound = call.type(i);
        if (bound.is_static()) {
            for (const extent& e : bound.extents)
                if (e.size != 1) return error{"Clip needs a bound of one element and has one of type " + to_string(bound)};
        }
        if (bound.element != result.element && bound.element != element_type::none && result.element != element_type::none)
            return error{"Clip has a bound of element type " + std::string(name_of(bound.element)) + " for data of type " +
                         to_string(result)};
        if (result.element == element_type::none) result.element = bound.element;
    }
    return node_type(std::move(result));
}

/// Not less than the lower bound, and then not more than the upper one, which wins where the two are crossed.
inline outcome<std::vector<tensor>> evaluate_clip(const call_view& call, std::span<const tensor> operands) {
    tensor result = operands[0];
    for (std::size_t i = 1; i < 3; ++i) {
        if (i >= operands.size() || !operands[i].ok()) continue;
        auto next = combine(call, result, operands[i].reshaped({}), i == 1 ? binary_loops_of<max_op> : binary_loops_of<min_op>, false, {});
        if (!next) return next.failure();
        result = std::move(*next);
    }
    return std::vector<tensor>{std::move(result)};
}

template <class U>
void where_loop(std::size_t count, std::byte* out, const std::byte* const* in, const std::ptrdiff_t* step, const double*) {
    U* const to = reinterpret_cast<U*>(out);
    const std::byte *condition = in[0], *x = in[1], *y = in[2];
    for (std::size_t i = 0; i < count; ++i) {
        to[i] = *reinterpret_cast<const U*>(*condition != std::byte{0} ? x : y);
        condition += step[0];
        x += step[1];
        y += step[2];
    }
}

inline outcome<node_type> infer_where(const call_view& call) {
    if (auto wrong = wrong_arity(call, 3, 3)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, elements(boolean_scalars()))) return std::move(*wrong);
    auto values = stretched_type(call, 1, 2);
    if (!values) return values.failure();
    const tensor_type& condition = call.type(0);
    if (!condition.ranked || !values->ranked) return node_type(tensor_type(values->element));
    auto met = stretched_shape(condition.extents, values->extents);
    if (!met) return error{"Where cannot stretch " + to_string(condition) + " and " + to_string(*values) + " to one shape"};
    return node_type(tensor_type(values->element, std::move(*met)));
}

inline outcome<std::vector<tensor>> evaluate_where(const call_view& call, std::span<const tensor> operands) {
    auto extents = stretched_shape(operands[1].extents(), operands[2].extents());
    if (extents) extents = stretched_shape(operands[0].extents(), *extents);
    if (!extents || operands[1].element() != operands[2].element()) return error{"Where has operands that do not fit each other"};
    strided_loop loop = nullptr;
    if (!visit_element_size(operands[1].element(), [&](auto scalar) { loop = &where_loop<typename decltype(scalar)::type>; }))
        return no_loop(call, operands[1].element());
    tensor result(operands[1].element(), std::move(*extents));
    if (!result.ok()) return no_memory(call, operands[1].type());
    for_each_row(result, operands.first(3), loop);
    return std::vector<tensor>{std::move(result)};
}

inline op_work work_clip(const call_view& call, const node_type& result) { return work_per_element(call, result, 2); }
inline op_work work_where(const call_view& call, const node_type& result) { return work_per_element(call, result, 1); }

}  // namespace detail

/// Bounds and choices.
template <class = void>
struct onnx_clip_and_where {
    static constexpr op_definition table[] = {
        {"onnx.Clip", op_kind::elementwise, detail::infer_clip, detail::evaluate_clip, detail::work_clip},
        {"onnx.Where", op_kind::broadcast, detail::infer_where, detail::evaluate_where, detail::work_where},
    };
};

}  // namespace inlay

#endif
