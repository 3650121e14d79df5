// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_MATMUL_LAYOUT_HPP
#define INLAY_BACKEND_CUDA_MATMUL_LAYOUT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/anchored_product.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// A matrix as NVIDIA's libraries are told of it: column-major, its columns `leading` elements apart, as it is stored.
struct column_major_matrix {
    std::int64_t rows = 0, columns = 0, leading = 0;
    bool is_transposed = false;   // before it is multiplied
    std::int64_t batch_step = 0;  // elements from one batch to the next; 0 where all take the same

    /// Of a matrix that the product sees as `rows` x `columns`, with these steps between neighbours. Nothing where neither its rows nor its
    /// columns are in one piece, or where it is larger than the library counts.
    [[nodiscard]] static std::optional<column_major_matrix> of(std::int64_t rows, std::int64_t columns, std::int64_t row_step,
                                                               std::int64_t column_step) {
        constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
        for (const bool turned : {false, true}) {
            if (turned) {
                std::swap(rows, columns);
                std::swap(row_step, column_step);
            }
            const std::int64_t leading = columns == 1 ? rows : column_step;
            const bool is_in_one_piece = rows == 1 || row_step == 1;
            if (is_in_one_piece && leading >= rows && std::max(columns, leading) <= most)
                return column_major_matrix{rows, columns, leading, turned, 0};
        }
        return std::nullopt;
    }

    friend bool operator==(const column_major_matrix&, const column_major_matrix&) = default;
};

/// A product of matrices as NVIDIA's libraries compute it: d = a b, in column-major matrices. A row-major product is the transposed
/// column-major one, whose first factor is the second operand; then `is_turned`.
struct matmul_layout {
    /// Where the matrices of one call begin, in elements.
    struct call {
        std::int64_t a = 0, b = 0, d = 0;

        friend bool operator==(const call&, const call&) = default;
    };

    column_major_matrix a, b, d;
    bool is_turned = true;
    std::int64_t batches = 1;  // of one call
    std::vector<call> calls;   // more than one where batches of the operands do not lie in equal steps

    /// How many calls a kernel makes at most.
    static constexpr std::size_t most_calls = 256;

    /// Error: matrices that have neither rows nor columns in one piece, are larger than the library counts, or take too many calls.
    [[nodiscard]] static outcome<matmul_layout> of(const anchored_product& p) {
        const std::size_t n = p.extents.size();
        const std::int64_t rows = p.extents[n - 2], columns = p.extents[n - 1], inner = p.a.extents.back();
        const std::int64_t row_step = p.strides[n - 2], column_step = p.strides[n - 1];
        const auto step = [n](const anchored_product::operand& o, std::size_t from_end) { return o.strides[n - from_end]; };
        const auto refuse = [](const char* what, std::int64_t of_rows, std::int64_t of_columns) {
            return error{std::string(what) + " of " + std::to_string(of_rows) + " x " + std::to_string(of_columns) +
                         " has neither its rows nor its columns in one piece, or is larger than the library counts"};
        };
        matmul_layout made;
        // The library's result is not transposed: the transposed product of a row-major result, the product itself of a column-major one.
        auto result = column_major_matrix::of(columns, rows, column_step, row_step);
        made.is_turned = result && !result->is_transposed;
        if (!made.is_turned) result = column_major_matrix::of(rows, columns, row_step, column_step);
        if (!result || result->is_transposed) return refuse("the result", rows, columns);
        const auto first = made.is_turned ? column_major_matrix::of(inner, rows, step(p.a, 1), step(p.a, 2))
                                          : column_major_matrix::of(rows, inner, step(p.a, 2), step(p.a, 1));
        const auto second = made.is_turned ? column_major_matrix::of(columns, inner, step(p.b, 1), step(p.b, 2))
                                           : column_major_matrix::of(inner, columns, step(p.b, 2), step(p.b, 1));
        if (!first) return refuse("the first matrix", rows, inner);
        if (!second) return refuse("the second matrix", inner, columns);
        made.a = *first;
        made.b = *second;
        made.d = *result;
        if (auto fine = made.add_batches(p); !fine) return fine.failure();
        if (made.is_turned) {
            std::swap(made.a, made.b);
            for (call& c : made.calls) std::swap(c.a, c.b);
        }
        return made;
    }

    friend bool operator==(const matmul_layout&, const matmul_layout&) = default;

private:
    /// The axis of batches, of several that lie in equal steps, and what each step is. An operand that has one for all stays where it is.
    struct batch_axis {
        std::int64_t extent = 1;
        call step;
    };

    [[nodiscard]] outcome<void> add_batches(const anchored_product& p) {
        std::vector<batch_axis> axes;
        for (std::size_t i = 0; i + 2 < p.extents.size(); ++i) {
            if (p.extents[i] == 1) continue;
            const auto step = [i](const anchored_product::operand& o) { return o.extents[i] == 1 ? 0 : o.strides[i]; };
            const batch_axis next{p.extents[i], {step(p.a), step(p.b), p.strides[i]}};
            const auto joins = [&](std::int64_t call::*which) { return axes.back().step.*which == next.step.*which * next.extent; };
            if (!axes.empty() && joins(&call::a) && joins(&call::b) && joins(&call::d)) {
                axes.back().extent *= next.extent;
                axes.back().step = next.step;
            } else {
                axes.push_back(next);
            }
        }
        calls = {{}};
        if (axes.empty()) return {};
        // One axis goes by the library's batches: the longest, so that there are few calls.
        const auto longest =
            std::max_element(axes.begin(), axes.end(), [](const batch_axis& x, const batch_axis& y) { return x.extent < y.extent; });
        if (longest->extent > std::numeric_limits<std::int32_t>::max())
            return error{std::to_string(longest->extent) + " batches are more than the library counts"};
        batches = longest->extent;
        a.batch_step = longest->step.a;
        b.batch_step = longest->step.b;
        d.batch_step = longest->step.d;
        axes.erase(longest);
        for (const batch_axis& axis : axes) {
            if (axis.extent > static_cast<std::int64_t>(most_calls / calls.size()))
                return error{"the batches of both operands lie in no equal steps, so that the product would be more than " +
                             std::to_string(most_calls) + " calls"};
            std::vector<call> next;
            for (const call& c : calls)
                for (std::int64_t i = 0; i < axis.extent; ++i)
                    next.push_back({c.a + i * axis.step.a, c.b + i * axis.step.b, c.d + i * axis.step.d});
            calls = std::move(next);
        }
        return {};
    }
};

}  // namespace inlay::detail

#endif
