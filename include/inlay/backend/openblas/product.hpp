// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_OPENBLAS_PRODUCT_HPP
#define INLAY_BACKEND_OPENBLAS_PRODUCT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include <cblas.h>

namespace inlay::detail {

/// How a matrix lies: row by row, or column by column, and from one to the next so many elements.
struct openblas_matrix {
    bool by_column = false;
    blasint step = 1;

    /// Of a matrix with these strides, in elements; nothing where neither rows nor columns are contiguous and apart, or the library's
    /// numbers are too small.
    [[nodiscard]] static std::optional<openblas_matrix> of(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                                                           std::int64_t column_stride) {
        const std::int64_t most = std::numeric_limits<blasint>::max();
        if (rows > most || columns > most) return std::nullopt;
        // The stride of an axis of one element is never taken.
        if (columns == 1) column_stride = 1;
        if (rows == 1) row_stride = column_stride == 1 ? columns : 1;
        for (const bool by_column : {false, true}) {
            const auto [inner, outer, count] =
                by_column ? std::tuple(row_stride, column_stride, rows) : std::tuple(column_stride, row_stride, columns);
            if (inner == 1 && outer >= count && outer <= most) return openblas_matrix{by_column, static_cast<blasint>(outer)};
        }
        return std::nullopt;
    }

    [[nodiscard]] CBLAS_TRANSPOSE turned() const { return by_column ? CblasTrans : CblasNoTrans; }
    /// Elements before row i.
    [[nodiscard]] std::size_t row(std::size_t i) const { return by_column ? i : i * static_cast<std::size_t>(step); }
};

/// c = factor a b, of `rows` x `inner` and `inner` x `columns`; the result's rows are contiguous.
struct openblas_product {
    blasint rows = 0, columns = 0, inner = 0;
    openblas_matrix a, b;
    blasint step = 0;  // from one row of the result to the next
    float factor = 1;

    /// Computes rows `first` to `last` of the result, whose row 0 is at `c`.
    void run(const float* a_at, const float* b_at, float* c, std::size_t first, std::size_t last) const {
        const auto count = static_cast<blasint>(last - first);
        a_at += a.row(first);
        c += first * static_cast<std::size_t>(step);
        if (rows == 1) {
            multiply(b, !b.by_column, inner, columns, b_at, a_at, a.by_column ? a.step : 1, c, 1);
        } else if (columns == 1) {
            multiply(a, a.by_column, count, inner, a_at, b_at, b.by_column ? 1 : b.step, c, step);
        } else {
            cblas_sgemm(CblasRowMajor, a.turned(), b.turned(), count, columns, inner, factor, a_at, a.step, b_at, b.step, 0, c, step);
        }
    }

    /// What runs, for people.
    [[nodiscard]] const char* name() const { return rows == 1 || columns == 1 ? "sgemv" : "sgemm"; }

private:
    /// y = factor m x, or the same with m transposed; m is of `height` x `width`.
    void multiply(const openblas_matrix& m, bool transposed, blasint height, blasint width, const float* at, const float* x, blasint x_step,
                  float* y, blasint y_step) const {
        if (m.by_column) std::swap(height, width);
        const blasint results = transposed ? width : height;
        // Whatever stands there, also what is no number, counts for nothing.
        for (blasint i = 0; i < results; ++i) y[static_cast<std::size_t>(i) * static_cast<std::size_t>(y_step)] = 0;
        cblas_sgemv(CblasRowMajor, transposed ? CblasTrans : CblasNoTrans, height, width, factor, at, m.step, x, x_step, 0, y, y_step);
    }
};

}  // namespace inlay::detail

#endif
