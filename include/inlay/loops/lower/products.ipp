// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_PRODUCTS_IPP
#define INLAY_LOOPS_LOWER_PRODUCTS_IPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <inlay/loops/lower/products.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/onnx/einsum.hpp>

namespace inlay::detail {

[[nodiscard]] inline outcome<lowered_tensor> lower_matmul(const lowered_call& c) {
    const lowered_tensor a = c.nest.stored(c.operands[0]), b = c.nest.stored(c.operands[1]);
    return matrix_sums(c, a, b, c.element, [&](const std::vector<affine>& left, const std::vector<affine>& right) {
        return c.apply(scalar_function::multiply, a.read(left), b.read(right));
    });
}

/// Sums of products over all labels that the result has not.
[[nodiscard]] inline outcome<lowered_tensor> lower_einsum(const lowered_call& c) {
    const auto equation = einsum_equation_of(c.call);
    if (!equation) return equation.failure();
    std::string labels = equation->result;
    std::vector<std::int64_t> summed;
    for (const auto& [label, size] : equation->extents)
        if (labels.find(label) == std::string::npos) {
            labels += label;
            summed.push_back(size.size);
        }
    std::vector<lowered_tensor> operands;
    for (const lowered_tensor& t : c.operands) operands.push_back(c.nest.stored(t));
    return c.nest.reduced(c.extents, c.element, summed, scalar_function::add, c.number(0),
                          [&](std::vector<affine> at, const std::vector<affine>& over) {
                              at.insert(at.end(), over.begin(), over.end());
                              std::optional<expression_id> product;
                              for (std::size_t i = 0; i < operands.size(); ++i) {
                                  std::vector<affine> own;
                                  for (std::size_t d = 0; d < operands[i].extents.size(); ++d)
                                      own.push_back(operands[i].extents[d] == 1 ? affine() : at[labels.find(equation->operands[i][d])]);
                                  const expression_id factor = operands[i].read(own);
                                  product = product ? c.apply(scalar_function::multiply, *product, factor) : factor;
                              }
                              return *product;
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

inline constexpr lowering_entry product_entries[] = {
    {"onnx.MatMul", &lower_matmul}, {"onnx.Gemm", &lower_gemm}, {"onnx.Einsum", &lower_einsum}};

std::span<const lowering_entry> product_lowerings() { return product_entries; }

}  // namespace inlay::detail

#endif
