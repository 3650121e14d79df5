// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_CONVOLUTION_LOOPS_HPP
#define INLAY_OPS_LOOPS_CONVOLUTION_LOOPS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/core/buffer.hpp>
#include <inlay/ops/loops/weighted_rows.hpp>
#include <inlay/ops/loops/window.hpp>

namespace inlay {

/// A convolution of three spatial axes in numbers; fewer axes are given leading ones of extent 1. Channels are counted per group.
/// `transposed`: input and result trade places, so that result place `o` meets input place `i` where `o + before` is
/// `i * stride + tap * dilation`; otherwise `i + before` is `o * stride + tap * dilation`.
struct convolution_extents {
    std::int64_t batches = 1, groups = 1, in_channels = 1, out_channels = 1;
    std::array<std::int64_t, 3> in{1, 1, 1}, out{1, 1, 1};
    std::array<window, 3> windows{};
    bool transposed = false;

    [[nodiscard]] std::int64_t taps() const { return windows[0].kernel * windows[1].kernel * windows[2].kernel; }
    [[nodiscard]] std::int64_t in_plane() const { return in[0] * in[1] * in[2]; }
    [[nodiscard]] std::int64_t out_plane() const { return out[0] * out[1] * out[2]; }
};

namespace detail {

/// The input place under tap `tap` of result place `out` along an axis; -1 where there is none.
inline std::int64_t place_under(const window& w, bool transposed, std::int64_t tap, std::int64_t out, std::int64_t in) {
    std::int64_t at = 0;
    if (transposed) {
        at = out + w.before - tap * w.dilation;
        if (at < 0 || at % w.stride != 0) return -1;
        at /= w.stride;
    } else {
        at = out * w.stride + tap * w.dilation - w.before;
    }
    return at >= 0 && at < in ? at : -1;
}

/// Writes what tap `tap` of the innermost axis sees at result columns `first` up to `last`: elements of `row`, zero beyond its ends.
template <class A, class T>
void fill_columns(A* to, const T* row, const window& w, bool transposed, std::int64_t tap, std::int64_t first, std::int64_t last,
                  std::int64_t in) {
    if (!transposed) {
        const std::int64_t offset = tap * w.dilation - w.before;
        std::int64_t column = first;
        for (; column < last && column * w.stride + offset < 0; ++column) *to++ = A(0);
        for (; column < last && column * w.stride + offset < in; ++column) *to++ = static_cast<A>(row[column * w.stride + offset]);
        for (; column < last; ++column) *to++ = A(0);
        return;
    }
    std::fill(to, to + (last - first), A(0));
    const std::int64_t offset = tap * w.dilation - w.before;
    const std::int64_t missing = first - offset;
    for (std::int64_t i = missing <= 0 ? 0 : (missing + w.stride - 1) / w.stride; i < in && i * w.stride + offset < last; ++i)
        to[i * w.stride + offset - first] = static_cast<A>(row[i]);
}

}  // namespace detail

/// The loops of Conv and ConvTranspose: `x` is [batches, groups * in_channels, in...], `weights` [groups, out_channels, in_channels, taps],
/// `bias` (null: zero) [groups * out_channels], `y` [batches, groups * out_channels, out...]. For a tile of result places, what each tap
/// of each channel sees is laid out as rows; each result channel is a weighted sum of them. Sums are double.
/// False where there is no memory for the rows of one tile.
template <class T>
[[nodiscard]] bool convolve(const convolution_extents& c, const T* x, const T* weights, const T* bias, T* y) {
    using A = sum_scalar<T>;
    const auto& [w0, w1, w2] = c.windows;
    const std::int64_t count = c.in_channels * c.taps(), width = c.out[2], lines = c.out[0] * c.out[1];
    if (c.out_plane() == 0) return true;
    const auto wanted = static_cast<std::int64_t>(columns_in_cache(static_cast<std::size_t>(count)));
    const std::int64_t tile_columns = std::min(width, std::max<std::int64_t>(wanted, 1));
    const std::int64_t tile_lines = std::clamp<std::int64_t>(wanted / width, 1, lines);
    const std::int64_t step = tile_columns * tile_lines;
    buffer rows_memory(static_cast<std::size_t>(count * step) * sizeof(A)), weights_memory(static_cast<std::size_t>(count) * sizeof(A)),
        sum_memory(static_cast<std::size_t>(step) * sizeof(A));
    if (count != 0 && (rows_memory.size() == 0 || weights_memory.size() == 0)) return false;
    if (sum_memory.size() == 0) return false;
    A* const rows = reinterpret_cast<A*>(rows_memory.data());
    A* const weight_row = reinterpret_cast<A*>(weights_memory.data());
    A* const sum = reinterpret_cast<A*>(sum_memory.data());
    for (std::int64_t n = 0; n < c.batches; ++n)
        for (std::int64_t g = 0; g < c.groups; ++g) {
            const T* const image = x + (n * c.groups + g) * c.in_channels * c.in_plane();
            T* const result = y + (n * c.groups + g) * c.out_channels * c.out_plane();
            for (std::int64_t line = 0; line < lines; line += tile_lines)
                for (std::int64_t first = 0; first < width; first += tile_columns) {
                    const std::int64_t last = std::min(width, first + tile_columns), end = std::min(lines, line + tile_lines);
                    A* row = rows;
                    for (std::int64_t channel = 0; channel < c.in_channels; ++channel)
                        for (std::int64_t t0 = 0; t0 < w0.kernel; ++t0)
                            for (std::int64_t t1 = 0; t1 < w1.kernel; ++t1)
                                for (std::int64_t t2 = 0; t2 < w2.kernel; ++t2, row += step)
                                    for (std::int64_t l = line; l < end; ++l) {
                                        A* const to = row + (l - line) * (last - first);
                                        const std::int64_t i0 = detail::place_under(w0, c.transposed, t0, l / c.out[1], c.in[0]);
                                        const std::int64_t i1 = detail::place_under(w1, c.transposed, t1, l % c.out[1], c.in[1]);
                                        if (i0 < 0 || i1 < 0)
                                            std::fill(to, to + (last - first), A(0));
                                        else
                                            detail::fill_columns(to, image + ((channel * c.in[0] + i0) * c.in[1] + i1) * c.in[2], w2,
                                                                 c.transposed, t2, first, last, c.in[2]);
                                    }
                    const std::int64_t places = (end - line) * (last - first);
                    for (std::int64_t o = 0; o < c.out_channels; ++o) {
                        const T* const from = weights + (g * c.out_channels + o) * count;
                        for (std::int64_t k = 0; k < count; ++k) weight_row[k] = static_cast<A>(from[k]);
                        std::fill(sum, sum + places, bias == nullptr ? A(0) : static_cast<A>(bias[g * c.out_channels + o]));
                        add_weighted_rows(sum, weight_row, static_cast<std::size_t>(count), rows, static_cast<std::size_t>(step),
                                          static_cast<std::size_t>(places));
                        // A tile of several lines has all their columns, so that its places follow one another in the result.
                        T* const to = result + o * c.out_plane() + line * width + first;
                        for (std::int64_t i = 0; i < places; ++i) to[i] = static_cast<T>(sum[i]);
                    }
                }
        }
    return true;
}

}  // namespace inlay

#endif
