// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_BROADCASTING_HPP
#define INLAY_OPS_ONNX_BROADCASTING_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <inlay/graph/tensor.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/ops/loops/strides.hpp>

namespace inlay {

/// The extent of an axis where extents `a` and `b` meet, as NumPy stretches them: equal, or one of them 1. A number above 1 meets
/// an unknown as itself, since the unknown can only be it or 1. Nothing where the two do not fit.
[[nodiscard]] inline std::optional<extent> stretched_extent(const extent& a, const extent& b) {
    if (a.is_known() && b.is_known()) {
        if (a.size == b.size || b.size == 1) return a;
        if (a.size == 1) return b;
        return std::nullopt;
    }
    if (a.is_known()) return a.size == 1 ? b : a;
    if (b.is_known()) return b.size == 1 ? a : b;
    return a == b ? a : extent();
}

/// The shape to which two shapes are stretched, axes aligned at the end; nothing where they do not fit.
[[nodiscard]] inline std::optional<shape> stretched_shape(const shape& a, const shape& b) {
    shape result(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < result.size(); ++i) {
        const extent one(1);
        const extent& x = i < a.size() ? a[a.size() - 1 - i] : one;
        const extent& y = i < b.size() ? b[b.size() - 1 - i] : one;
        auto met = stretched_extent(x, y);
        if (!met) return std::nullopt;
        result[result.size() - 1 - i] = std::move(*met);
    }
    return result;
}

/// The same for shapes that are numbers.
[[nodiscard]] inline std::optional<std::vector<std::int64_t>> stretched_shape(const std::vector<std::int64_t>& a,
                                                                              const std::vector<std::int64_t>& b) {
    std::vector<std::int64_t> result(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (x != y && x != 1 && y != 1) return std::nullopt;
        result[result.size() - 1 - i] = x == 1 ? y : x;
    }
    return result;
}

/// One row of work: `count` result elements at `out`, contiguous, from operand elements at `in[k]`, `step[k]` bytes apart (0 where
/// the operand is stretched).
using strided_loop = void (*)(std::size_t count, std::byte* out, const std::byte* const* in, const std::ptrdiff_t* step,
                              const double* parameters);

/// Runs a loop over all elements of `out`, operands stretched to its shape. Axes along which every operand goes on evenly are
/// merged first, so that rows are as long as they can be. Precondition: the operands' shapes can be stretched to the result's.
inline void for_each_row(tensor& out, std::span<const tensor> operands, strided_loop loop, const double* parameters = nullptr) {
    if (out.count() == 0) return;
    const std::size_t arity = operands.size();
    std::vector<std::int64_t> extents;               // of the merged axes, innermost first
    std::vector<std::vector<std::ptrdiff_t>> steps;  // of the merged axes, per operand, in bytes
    std::vector<std::vector<std::int64_t>> strides;
    for (const tensor& t : operands) strides.push_back(stretched_strides(t.extents(), out.extents()));
    for (std::size_t axis = out.rank(); axis-- > 0;) {
        const std::int64_t n = out.extents()[axis];
        if (n == 1) continue;
        std::vector<std::ptrdiff_t> step(arity);
        for (std::size_t k = 0; k < arity; ++k)
            step[k] = static_cast<std::ptrdiff_t>(strides[k][axis]) * static_cast<std::ptrdiff_t>(size_of(operands[k].element()));
        bool even = !extents.empty();
        for (std::size_t k = 0; even && k < arity; ++k) even = step[k] == steps.back()[k] * extents.back();
        if (even) {
            extents.back() *= n;
        } else {
            extents.push_back(n);
            steps.push_back(std::move(step));
        }
    }
    if (extents.empty()) {
        extents.push_back(1);
        steps.emplace_back(arity, 0);
    }
    std::vector<const std::byte*> in(arity);
    for (std::size_t k = 0; k < arity; ++k) in[k] = operands[k].data();
    const auto row = static_cast<std::size_t>(extents[0]);
    const std::size_t row_bytes = row * size_of(out.element());
    std::vector<std::int64_t> index(extents.size(), 0);
    std::byte* to = out.data();
    while (true) {
        loop(row, to, in.data(), steps[0].data(), parameters);
        to += row_bytes;
        std::size_t axis = 1;
        for (; axis < extents.size(); ++axis) {
            for (std::size_t k = 0; k < arity; ++k) in[k] += steps[axis][k];
            if (++index[axis] < extents[axis]) break;
            for (std::size_t k = 0; k < arity; ++k) in[k] -= steps[axis][k] * extents[axis];
            index[axis] = 0;
        }
        if (axis == extents.size()) return;
    }
}

}  // namespace inlay

#endif
