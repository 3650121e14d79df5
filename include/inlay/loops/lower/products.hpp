// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_PRODUCTS_HPP
#define INLAY_LOOPS_LOWER_PRODUCTS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>

namespace inlay::detail {

/// Batches of matrices; axes before the last two are broadcast.
[[nodiscard]] inline outcome<lowered_tensor> lower_matmul(const lowered_call& c) {
    if (c.extents_of(0).size() < 2 || c.extents_of(1).size() < 2)
        return error{"a product with a vector has no loop nest; give it two axes"};
    const lowered_tensor a = c.nest.stored(c.operands[0]), b = c.nest.stored(c.operands[1]);
    const auto place = [](const lowered_tensor& t, const std::vector<affine>& at, const affine& row, const affine& column) {
        const std::size_t batches = t.extents.size() - 2, skipped = at.size() - t.extents.size();
        std::vector<affine> own;
        for (std::size_t d = 0; d < batches; ++d) own.push_back(t.extents[d] == 1 ? affine() : at[skipped + d]);
        own.push_back(row);
        own.push_back(column);
        return t.read(own);
    };
    return c.nest.reduced(c.extents, c.element, {a.extents.back()}, scalar_function::add, c.number(0),
                          [&](const std::vector<affine>& at, const std::vector<affine>& k) {
                              const std::size_t rank = at.size();
                              return c.apply(scalar_function::multiply, place(a, at, at[rank - 2], k[0]), place(b, at, k[0], at[rank - 1]));
                          });
}

[[nodiscard]] inline outcome<lowered_tensor> lower_gemm(const lowered_call& c) {
    const auto how = read<gemm_attributes>(c.call);
    const lowered_tensor a = c.nest.stored(c.operands[0]), b = c.nest.stored(c.operands[1]);
    const std::int64_t depth = how.trans_a ? a.extents[0] : a.extents[1];
    const lowered_tensor sum = c.nest.reduced(
        c.extents, c.element, {depth}, scalar_function::add, c.number(0), [&](const std::vector<affine>& at, const std::vector<affine>& k) {
            const expression_id left = a.read(how.trans_a ? std::vector{k[0], at[0]} : std::vector{at[0], k[0]});
            return c.apply(scalar_function::multiply, left, b.read(how.trans_b ? std::vector{at[1], k[0]} : std::vector{k[0], at[1]}));
        });
    const std::size_t cost = 1 + (c.has(2) ? c.operands[2].cost : 0);
    return c.nest.computed(c.extents, c.element, cost, [c, how, sum](const std::vector<affine>& at) {
        expression_id all = sum.read(at);
        if (how.alpha != 1) all = c.apply(scalar_function::multiply, c.number(how.alpha), all);
        if (!c.has(2)) return all;
        expression_id shift = c.broadcast(2, at);
        if (how.beta != 1) shift = c.apply(scalar_function::multiply, c.number(how.beta), shift);
        return c.apply(scalar_function::add, all, shift);
    });
}

inline constexpr lowering_entry product_lowerings[] = {{"onnx.MatMul", &lower_matmul}, {"onnx.Gemm", &lower_gemm}};

}  // namespace inlay::detail

#endif
