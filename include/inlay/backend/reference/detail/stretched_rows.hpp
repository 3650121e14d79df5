// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_DETAIL_STRETCHED_ROWS_HPP
#define INLAY_BACKEND_REFERENCE_DETAIL_STRETCHED_ROWS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/chunks.hpp>

namespace inlay::detail::on_eigen {

/// How `Arity` row-major operands, stretched to one result as NumPy does it, are walked in rows: along a row every operand is either
/// contiguous or one element. Axes along which all operands go on evenly are merged, so that rows are as long as they can be.
template <std::size_t Arity>
struct stretched_rows {
    using offsets = std::array<std::int64_t, Arity>;

    std::int64_t row = 1;             // elements of a row
    std::int64_t rows = 1;            // how many
    offsets row_step{};               // 1 or 0 per operand
    std::vector<std::int64_t> outer;  // extents around the row, innermost first
    std::vector<offsets> outer_step;

    /// Precondition: the operands' shapes can be stretched to the result's.
    stretched_rows(const extents& result_shape, const std::array<const extents*, Arity>& operands) {
        std::vector<std::int64_t> sizes;
        std::vector<offsets> steps;
        offsets reached;
        reached.fill(1);
        for (std::size_t back = 0; back < result_shape.size(); ++back) {
            const std::int64_t n = result_shape[result_shape.size() - 1 - back];
            offsets step{};
            for (std::size_t k = 0; k < Arity; ++k) {
                const extents& shape = *operands[k];
                const std::int64_t own = back < shape.size() ? shape[shape.size() - 1 - back] : 1;
                if (own != 1) step[k] = reached[k];
                reached[k] *= own;
            }
            if (n == 1) continue;
            bool even = !sizes.empty();
            for (std::size_t k = 0; even && k < Arity; ++k) even = step[k] == steps.back()[k] * sizes.back();
            if (even) {
                sizes.back() *= n;
            } else {
                sizes.push_back(n);
                steps.push_back(step);
            }
        }
        if (!sizes.empty()) {
            row = sizes.front();
            row_step = steps.front();
            outer.assign(sizes.begin() + 1, sizes.end());
            outer_step.assign(steps.begin() + 1, steps.end());
        }
        for (const std::int64_t n : outer) rows *= n;
    }

    /// Calls `f(place in the result, places in the operands, elements)` for every row; a single long row is cut for the threads.
    template <class F>
    void for_each(const executor_ref& executor, F&& f) const {
        if (row == 0 || rows == 0) return;
        if (rows == 1) {
            in_chunks(executor, row, worth_a_thread, [&](std::int64_t begin, std::int64_t end) {
                offsets at{};
                for (std::size_t k = 0; k < Arity; ++k) at[k] = begin * row_step[k];
                f(begin, at, end - begin);
            });
            return;
        }
        in_chunks(executor, rows, grain_of(row), [&](std::int64_t begin, std::int64_t end) { walk(begin, end, f); });
    }

private:
    template <class F>
    void walk(std::int64_t begin, std::int64_t end, F& f) const {
        constexpr std::size_t most = 32;
        std::array<std::int64_t, most> index{};
        offsets at{};
        std::int64_t rest = begin;
        for (std::size_t d = 0; d < outer.size(); ++d) {
            index[d] = rest % outer[d];
            rest /= outer[d];
            for (std::size_t k = 0; k < Arity; ++k) at[k] += index[d] * outer_step[d][k];
        }
        for (std::int64_t r = begin; r < end; ++r) {
            f(r * row, at, row);
            for (std::size_t d = 0; d < outer.size(); ++d) {
                for (std::size_t k = 0; k < Arity; ++k) at[k] += outer_step[d][k];
                if (++index[d] < outer[d]) break;
                for (std::size_t k = 0; k < Arity; ++k) at[k] -= outer_step[d][k] * outer[d];
                index[d] = 0;
            }
        }
    }
};

/// Tensors of a higher rank than this are left to the interpreter's meanings.
inline constexpr std::size_t most_axes = 32;

}  // namespace inlay::detail::on_eigen

#endif
