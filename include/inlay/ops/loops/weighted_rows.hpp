// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_WEIGHTED_ROWS_HPP
#define INLAY_OPS_LOOPS_WEIGHTED_ROWS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace inlay {

/// The scalar in which products of T are summed: double for floats; for integers the widest unsigned, which wraps as they do.
template <class T>
using sum_scalar = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;

/// `sum[j] += weights[0] * rows[0][j] + weights[1] * rows[1][j] + ...` for j below `width`, where row k begins at `rows + k * step`.
/// This is the inner loop of convolutions and matrix products. The sums must not overlap the rest.
template <class A>
void add_weighted_rows(A* __restrict sum, const A* __restrict weights, std::size_t count, const A* __restrict rows, std::size_t step,
                       std::size_t width) {
    // Four rows at a time, so that each sum is loaded and stored once per four products; eight columns at a time with a constant
    // count, which compilers vectorise at -O2 too.
    constexpr std::size_t columns = 8;
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4) {
        const A w0 = weights[k], w1 = weights[k + 1], w2 = weights[k + 2], w3 = weights[k + 3];
        const A* __restrict x0 = rows + k * step;
        const A* __restrict x1 = x0 + step;
        const A* __restrict x2 = x1 + step;
        const A* __restrict x3 = x2 + step;
        std::size_t j = 0;
        for (; j + columns <= width; j += columns)
            for (std::size_t i = j; i < j + columns; ++i) sum[i] += (w0 * x0[i] + w1 * x1[i]) + (w2 * x2[i] + w3 * x3[i]);
        for (; j < width; ++j) sum[j] += (w0 * x0[j] + w1 * x1[j]) + (w2 * x2[j] + w3 * x3[j]);
    }
    for (; k < count; ++k) {
        const A w = weights[k];
        const A* __restrict x = rows + k * step;
        for (std::size_t j = 0; j < width; ++j) sum[j] += w * x[j];
    }
}

/// How many columns of rows to take at once, so that `count` rows of them stay in a core's cache: between 32 and 512.
[[nodiscard]] inline std::size_t columns_in_cache(std::size_t count) {
    constexpr std::size_t elements = 65536;
    return std::clamp(count == 0 ? elements : elements / count, std::size_t{32}, std::size_t{512});
}

}  // namespace inlay

#endif
