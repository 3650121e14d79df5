// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_PANEL_WALK_HPP
#define INLAY_BACKEND_CPU_SIMD_PANEL_WALK_HPP

#include <algorithm>
#include <cstddef>

namespace inlay::simd {

/// In which order the rows of a product and the panels of its packed weights are gone through: in blocks of rows that stay in the second
/// cache while panel after panel goes over them, or, where the weights leave it, panel by panel, all rows for each.
struct panel_walk {
    std::size_t rows = 1, panels = 1;
    std::size_t block = 1;  // rows of a block
    bool by_panel = false;

    /// Weights of more bytes are walked over once.
    static constexpr std::size_t near_weights = std::size_t{512} << 10;

    /// Blocks of about so many rows, a multiple of `step`, and no fewer units of work over all `repeats` of the product than `wanted`.
    [[nodiscard]] static panel_walk of(std::size_t rows, std::size_t panels, std::size_t weight_bytes, std::size_t rows_near,
                                       std::size_t step, std::size_t repeats, std::size_t wanted) {
        panel_walk w{rows, panels, std::max(rows_near / step, std::size_t{1}) * step, weight_bytes > near_weights};
        const std::size_t blocks = (wanted + repeats * panels - 1) / (repeats * panels);
        if (blocks > 1) w.block = std::min(w.block, ((rows + blocks - 1) / blocks + step - 1) / step * step);
        w.block = std::max(w.block, std::size_t{1});
        return w;
    }

    [[nodiscard]] std::size_t blocks() const { return (rows + block - 1) / block; }
    [[nodiscard]] std::size_t units() const { return blocks() * panels; }

    /// One unit: a panel, and the rows from `first` to `past`.
    struct unit {
        std::size_t panel, first, past;
    };
    [[nodiscard]] unit at(std::size_t number) const {
        const std::size_t first = (by_panel ? number % blocks() : number / panels) * block;
        return {by_panel ? number / blocks() : number % panels, first, std::min(rows, first + block)};
    }
};

/// Calls `f(row, n)` for tiles of n rows each from `row` on, that make up `rows`: as few as `most` rows allow, of about even height.
template <class F>
void each_tile(std::size_t rows, std::size_t most, F&& f) {
    const std::size_t tiles = (rows + most - 1) / most;
    for (std::size_t t = 0, row = 0; t < tiles; ++t) {
        const std::size_t n = rows / tiles + (t < rows % tiles ? 1 : 0);
        f(row, n);
        row += n;
    }
}

}  // namespace inlay::simd

#endif
