// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_MATRIX_PRODUCT_HPP
#define INLAY_OPS_ONNX_MATRIX_PRODUCT_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/ops/agreed_element.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/loops/convert_elements.hpp>
#include <inlay/ops/loops/evaluate_by_filling.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/matrix_product_loops.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/onnx/broadcasting.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay {
namespace detail {

using product_scalars = scalar_list<float, double, std::int32_t, std::int64_t, std::uint32_t, std::uint64_t>;

/// A shape of rank 1 as the matrix that MatMul reads it as: one row on the left, one column on the right.
template <class List>
List as_matrix(List extents, bool left) {
    if (extents.size() == 1) extents.insert(left ? extents.begin() : extents.end(), typename List::value_type(1));
    return extents;
}

inline outcome<node_type> infer_matmul(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 2)) return std::move(*wrong);
    const auto element = agreed_element(call, {0, 1}, elements(product_scalars()));
    if (!element) return element.failure();
    const tensor_type &a = call.type(0), &b = call.type(1);
    for (const tensor_type* t : {&a, &b})
        if (t->ranked && t->rank() == 0)
            return error{"MatMul has an operand of type " + to_string(*t) + ", where a rank of 1 or more is expected"};
    if (!a.ranked || !b.ranked) return node_type(tensor_type(*element));
    const shape left = as_matrix(a.extents, true), right = as_matrix(b.extents, false);
    if (!can_be_equal(left[left.size() - 1], right[right.size() - 2]))
        return error{"MatMul multiplies " + to_string(a) + " by " + to_string(b) + ", whose inner extents differ"};
    auto result = stretched_shape(shape(left.begin(), left.end() - 2), shape(right.begin(), right.end() - 2));
    if (!result) return error{"MatMul cannot stretch the leading axes of " + to_string(a) + " and " + to_string(b) + " to one shape"};
    if (a.rank() > 1) result->push_back(left[left.size() - 2]);
    if (b.rank() > 1) result->push_back(right.back());
    return countable_type(call, tensor_type(*element, std::move(*result)));
}

inline outcome<void> fill_matmul(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const auto a = as_matrix(operands[0].extents(), true), b = as_matrix(operands[1].extents(), false);
    const std::size_t batch_a = a.size() - 2, batch_b = b.size() - 2;
    const std::int64_t depth = a.back(), columns = b.back();
    std::int64_t rows = a[batch_a];
    std::vector<std::int64_t> lead_a(a.begin(), a.end() - 2), lead_b(b.begin(), b.end() - 2);
    // One matrix on the right for all on the left: they are one tall matrix.
    if (extent_product(b, 0, batch_b) == 1 && lead_a.size() >= lead_b.size()) {
        rows *= extent_product(a, 0, batch_a);
        lead_a.clear();
        lead_b.clear();
    }
    const auto lead = stretched_shape(lead_a, lead_b);
    if (!lead) return error{"MatMul cannot stretch its operands' leading axes to one shape"};
    const auto step_a = stretched_strides(lead_a, *lead), step_b = stretched_strides(lead_b, *lead), step = row_major_strides(*lead);
    const std::int64_t batches = extent_product(*lead, 0, lead->size());
    bool done = true;
    visit_element_type(product_scalars(), results[0].element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        T* to = results[0].as<T>().data();
        for (std::int64_t n = 0; n < batches && done; ++n, to += rows * columns) {
            std::int64_t at_a = 0, at_b = 0;
            for (std::size_t i = 0; i < lead->size(); ++i) {
                const std::int64_t index = n / step[i] % (*lead)[i];
                at_a += index * step_a[i];
                at_b += index * step_b[i];
            }
            const matrix_view<T> left{operands[0].as<T>().data() + at_a * rows * depth, rows, depth, depth, 1};
            const matrix_view<T> right{operands[1].as<T>().data() + at_b * depth * columns, depth, columns, columns, 1};
            done = multiply(left, right,
                            [&](std::int64_t i, std::int64_t j, sum_scalar<T> sum) { to[i * columns + j] = static_cast<T>(sum); });
        }
    });
    return done ? outcome<void>() : outcome<void>(no_memory(call, results[0].type()));
}

inline op_work work_matmul(const call_view& call, const node_type& result) {
    const double depth = static_cast<double>(call.type(0).extents.back().size);
    return {2 * depth * elements_of(result.of_tensor), bytes_moved(call, result)};
}

inline outcome<node_type> infer_gemm(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 3)) return std::move(*wrong);
    const auto element = agreed_element(call, {0, 1, 2}, elements(product_scalars()));
    if (!element) return element.failure();
    const tensor_type &a = call.type(0), &b = call.type(1);
    for (const tensor_type* t : {&a, &b})
        if (t->ranked && t->rank() != 2) return error{"Gemm has an operand of type " + to_string(*t) + ", where a matrix is expected"};
    const std::size_t flip_a = read<gemm_attributes>(call).trans_a ? 1 : 0, flip_b = read<gemm_attributes>(call).trans_b ? 1 : 0;
    const auto side = [](const tensor_type& t, std::size_t axis) { return t.ranked ? t.extents[axis] : extent(); };
    if (!can_be_equal(side(a, 1 - flip_a), side(b, flip_b)))
        return error{"Gemm multiplies " + to_string(a) + (flip_a != 0 ? ", transposed," : "") + " by " + to_string(b) +
                     (flip_b != 0 ? ", transposed" : "") + ", whose inner extents differ"};
    shape result{side(a, flip_a), side(b, 1 - flip_b)};
    if (call.has(2) && call.type(2).ranked) {
        const tensor_type& c = call.type(2);
        bool fits = c.rank() <= 2;
        for (std::size_t i = 0; fits && i < c.rank(); ++i) {
            const extent &from = c.extents[c.rank() - 1 - i], &to = result[1 - i];
            fits = from == extent(1) || can_be_equal(from, to);
        }
        if (!fits)
            return error{"Gemm cannot stretch its last operand of type " + to_string(c) + " to " +
                         to_string(tensor_type(*element, result))};
    }
    return countable_type(call, tensor_type(*element, std::move(result)));
}

inline outcome<void> fill_gemm(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const double alpha = read<gemm_attributes>(call).alpha, beta = read<gemm_attributes>(call).beta;
    const bool has_c = call.has(2), plain = alpha == 1.0 && beta == 1.0;
    const auto step = has_c ? stretched_strides(operands[2].extents(), results[0].extents()) : std::vector<std::int64_t>(2, 0);
    const auto matrix = [](const auto* data, const tensor& t, bool flip) {
        using T = std::remove_const_t<std::remove_pointer_t<decltype(data)>>;
        const matrix_view<T> m{data, t.extents()[0], t.extents()[1], t.extents()[1], 1};
        return flip ? m.transposed() : m;
    };
    bool done = false;
    visit_element_type(product_scalars(), results[0].element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        const auto a = matrix(operands[0].as<T>().data(), operands[0], read<gemm_attributes>(call).trans_a);
        const auto b = matrix(operands[1].as<T>().data(), operands[1], read<gemm_attributes>(call).trans_b);
        const T* const c = has_c ? operands[2].as<T>().data() : nullptr;
        T* const to = results[0].as<T>().data();
        done = multiply(a, b, [&](std::int64_t i, std::int64_t j, sum_scalar<T> sum) {
            T& out = to[i * b.columns + j];
            const T added = c == nullptr ? T(0) : c[i * step[0] + j * step[1]];
            if constexpr (std::is_floating_point_v<T>)
                out = static_cast<T>(alpha * sum + (c == nullptr ? 0.0 : beta * static_cast<double>(added)));
            else
                out = plain ? static_cast<T>(sum + static_cast<sum_scalar<T>>(added))
                            : from_wide<T>(alpha * static_cast<double>(static_cast<T>(sum)) + beta * static_cast<double>(added));
        });
    });
    return done ? outcome<void>() : outcome<void>(no_memory(call, results[0].type()));
}

inline op_work work_gemm(const call_view& call, const node_type& result) {
    const std::size_t inner = read<gemm_attributes>(call).trans_a ? 0 : 1;
    const double depth = static_cast<double>(call.type(0).extents[inner].size);
    return {(2 * depth + (call.has(2) ? 1 : 0)) * elements_of(result.of_tensor), bytes_moved(call, result)};
}

}  // namespace detail

/// MatMul and Gemm, as ONNX defines them.
template <class = void>
struct onnx_matrix_product {
    static constexpr auto table = with_attributes<gemm_attributes>({
        {"onnx.Gemm", op_kind::anchor, detail::infer_gemm, filled<detail::infer_gemm, detail::fill_gemm>, detail::work_gemm},
        {"onnx.MatMul", op_kind::anchor, detail::infer_matmul, filled<detail::infer_matmul, detail::fill_matmul>, detail::work_matmul},
    });
};

}  // namespace inlay

#endif
