// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_MATRIX_PRODUCT_LOOPS_HPP
#define INLAY_OPS_LOOPS_MATRIX_PRODUCT_LOOPS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <inlay/core/buffer.hpp>
#include <inlay/ops/loops/weighted_rows.hpp>

namespace inlay {

/// A matrix whose element (i, j) stands at `data[i * row_step + j * column_step]`: as it is, or transposed.
template <class T>
struct matrix_view {
    const T* data = nullptr;
    std::int64_t rows = 0, columns = 0, row_step = 0, column_step = 1;

    [[nodiscard]] matrix_view transposed() const { return {data, columns, rows, column_step, row_step}; }
};

/// The product of two matrices: `finish(i, j, sum)` is called once for each element, sums being double for floats and wrapping for
/// integers. False where there is no memory for a few columns of `b`. Precondition: `a.columns == b.rows`.
template <class T, class Finish>
[[nodiscard]] bool multiply(const matrix_view<T>& a, const matrix_view<T>& b, Finish&& finish) {
    using A = sum_scalar<T>;
    if (a.rows == 0 || b.columns == 0) return true;
    const std::int64_t depth = b.rows;
    const std::int64_t width =
        std::min<std::int64_t>(b.columns, static_cast<std::int64_t>(columns_in_cache(static_cast<std::size_t>(depth))));
    buffer rows_memory(static_cast<std::size_t>(depth * width) * sizeof(A)), weights_memory(static_cast<std::size_t>(depth) * sizeof(A)),
        sum_memory(static_cast<std::size_t>(width) * sizeof(A));
    if (depth != 0 && (rows_memory.size() == 0 || weights_memory.size() == 0)) return false;
    if (sum_memory.size() == 0) return false;
    A* const rows = reinterpret_cast<A*>(rows_memory.data());
    A* const weights = reinterpret_cast<A*>(weights_memory.data());
    A* const sum = reinterpret_cast<A*>(sum_memory.data());
    for (std::int64_t first = 0; first < b.columns; first += width) {
        const std::int64_t count = std::min(width, b.columns - first);
        for (std::int64_t k = 0; k < depth; ++k) {
            const T* const from = b.data + k * b.row_step + first * b.column_step;
            for (std::int64_t j = 0; j < count; ++j) rows[k * width + j] = static_cast<A>(from[j * b.column_step]);
        }
        for (std::int64_t i = 0; i < a.rows; ++i) {
            const T* const from = a.data + i * a.row_step;
            for (std::int64_t k = 0; k < depth; ++k) weights[k] = static_cast<A>(from[k * a.column_step]);
            std::fill(sum, sum + count, A(0));
            add_weighted_rows(sum, weights, static_cast<std::size_t>(depth), rows, static_cast<std::size_t>(width),
                              static_cast<std::size_t>(count));
            for (std::int64_t j = 0; j < count; ++j) finish(i, first + j, sum[j]);
        }
    }
    return true;
}

}  // namespace inlay

#endif
