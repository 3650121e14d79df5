// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUTLASS_CUTLASS_LAYOUT_HPP
#define INLAY_BACKEND_CUTLASS_CUTLASS_LAYOUT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <inlay/backend/cuda/matmul_layout.hpp>
#include <inlay/backend/cutlass/cutlass_tile.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// A matrix as CUTLASS's kernel is told of it.
struct cutlass_matrix {
    bool is_row_major = true;
    std::int64_t leading = 0;     // elements from one row to the next, or from one column to the next
    std::int64_t batch_step = 0;  // elements from one batch to the next; 0 where all take the same
    int width = 1;                // how many elements are read or written at once: 1, 2 or 4

    friend bool operator==(const cutlass_matrix&, const cutlass_matrix&) = default;
};

/// A product as CUTLASS's kernel computes it: d = a b, where d is row-major. That is the transposed product of the column-major one that
/// `matmul_layout` describes, so that `a` is the second of its operands and `b` the first.
struct cutlass_layout {
    /// Where the matrices of one launch begin, in elements, and how many batches it has.
    struct launch {
        std::int64_t a = 0, b = 0, d = 0;
        int batches = 1;

        friend bool operator==(const launch&, const launch&) = default;
    };

    int rows = 0, columns = 0, inner = 0;
    cutlass_matrix a, b, d;
    cutlass_tile tile;
    std::vector<launch> launches;

    /// How many blocks a launch has along its second and its third axis at most.
    static constexpr std::int64_t most_blocks = 65535;

    /// Error: the product is empty, or larger than a launch.
    [[nodiscard]] static outcome<cutlass_layout> of(const matmul_layout& m, bool by_tf32) {
        const std::int64_t rows = m.d.columns, columns = m.d.rows, inner = m.a.is_transposed ? m.a.rows : m.a.columns;
        const std::string name = "a product of " + std::to_string(rows) + " x " + std::to_string(inner) + " x " + std::to_string(columns);
        if (rows == 0 || columns == 0 || inner == 0 || m.batches == 0) return error{name + " is empty, which CUTLASS does not compute"};
        cutlass_layout made;
        made.tile = cutlass_tile_for(rows, columns, m.batches * static_cast<std::int64_t>(m.calls.size()), by_tf32);
        // Counts are rounded up to tiles in 32 bits there.
        const std::int64_t most = std::numeric_limits<std::int32_t>::max() - std::int64_t{std::max(made.tile.rows, made.tile.columns)};
        if (std::max({rows, columns, inner}) > most) return error{name + " is larger than CUTLASS counts"};
        if (made.tile.blocks_of_columns(columns) > most_blocks) return error{name + " has more columns than one launch"};
        made.rows = static_cast<int>(rows);
        made.columns = static_cast<int>(columns);
        made.inner = static_cast<int>(inner);
        using call = matmul_layout::call;
        made.a = matrix(m.b, m.calls, &call::b, by_tf32);
        made.b = matrix(m.a, m.calls, &call::a, by_tf32);
        made.d = matrix(m.d, m.calls, &call::d, by_tf32);
        for (const call& c : m.calls)
            for (std::int64_t done = 0; done < m.batches; done += most_blocks)
                made.launches.push_back({c.b + done * made.a.batch_step, c.a + done * made.b.batch_step, c.d + done * made.d.batch_step,
                                         static_cast<int>(std::min(m.batches - done, most_blocks))});
        return made;
    }

    friend bool operator==(const cutlass_layout&, const cutlass_layout&) = default;

private:
    /// The transposed matrix of a column-major one. Kernels without tensor cores read and write one element at once.
    [[nodiscard]] static cutlass_matrix matrix(const column_major_matrix& of, const std::vector<matmul_layout::call>& calls,
                                               std::int64_t matmul_layout::call::*where, bool by_tf32) {
        cutlass_matrix made{!of.is_transposed, of.leading, of.batch_step, 1};
        // Tensors begin at multiples of 64 bytes; from there on each step is one of so many elements, and so is where a row ends.
        const auto fits = [&](std::int64_t width) {
            return of.rows % width == 0 && of.leading % width == 0 && of.batch_step % width == 0 &&
                   std::all_of(calls.begin(), calls.end(), [&](const matmul_layout::call& c) { return c.*where % width == 0; });
        };
        if (by_tf32) made.width = fits(4) ? 4 : fits(2) ? 2 : 1;
        return made;
    }
};

}  // namespace inlay::detail

#endif
