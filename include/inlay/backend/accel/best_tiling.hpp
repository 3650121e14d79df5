// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ACCEL_BEST_TILING_HPP
#define INLAY_BACKEND_ACCEL_BEST_TILING_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/accelerator/best_cut.hpp>
#include <inlay/accelerator/pieces.hpp>
#include <inlay/accelerator/unit_timeline.hpp>
#include <inlay/backend/accel/accel_machine.hpp>
#include <inlay/backend/accel/cycle_model.hpp>
#include <inlay/backend/accel/layer.hpp>
#include <inlay/backend/accel/tile_program.hpp>
#include <inlay/backend/accel/tiling.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::accel_parts {

/// Cycles that the array and the vector unit are busy with a layer in a tiling: exactly those of its program, added up by kinds of tiles.
[[nodiscard]] inline std::int64_t compute_cycles(const layer& l, const accel_machine& m, const tiling& t) {
    const tile_sizes s = tile_sizes::of(l, m, t);
    std::int64_t cycles = 0;
    each_piece(l.y.out, t.rows, [&](std::int64_t rows, std::int64_t row_tiles) {
        each_piece(l.x.out, t.columns, [&](std::int64_t columns, std::int64_t column_tiles) {
            const std::int64_t places = rows * columns, tiles = l.images * row_tiles * column_tiles;
            const std::int64_t step = m.array.most_product_rows().value_or(places);
            each_piece(l.filters, s.block, [&](std::int64_t filters, std::int64_t blocks) {
                cycles += tiles * blocks * (places * ((filters + m.array.columns - 1) / m.array.columns) + finish_stages);
                each_piece(l.channels, s.chunk, [&](std::int64_t channels, std::int64_t chunks) {
                    each_piece(places, step, [&](std::int64_t part, std::int64_t parts) {
                        cycles += tiles * blocks * l.taps() * chunks * parts *
                                  fold_cycles(m.array, mapped(m.array.flow, {part, channels, filters}));
                    });
                });
            });
        });
    });
    return l.groups * cycles;
}

/// No program of a layer in a tiling takes fewer cycles: its array, what it loads and what it stores each take so many by themselves.
[[nodiscard]] inline std::int64_t least_cycles(const layer& l, const accel_machine& m, const tiling& t) {
    const tile_sizes s = tile_sizes::of(l, m, t);
    const std::int64_t parts = l.images * ((l.y.out + t.rows - 1) / t.rows) * ((l.x.out + t.columns - 1) / t.columns);
    const std::int64_t channel_tiles = (s.block_count + s.tile_blocks - 1) / s.tile_blocks;
    const std::int64_t inputs = l.images * l.y.taps_inside() * l.x.taps_inside() * l.groups * l.channels * l.element();
    const std::int64_t loaded =
        inputs * (t.keeps == kept_operand::inputs ? 1 : channel_tiles) + l.weight_bytes() * (t.keeps == kept_operand::weights ? 1 : parts);
    return std::max({compute_cycles(l, m, t), m.dma.least_cycles(loaded), m.dma.least_cycles(l.out_bytes())});
}

/// The tiling whose program takes the fewest cycles, of `tilings_of` the layer: they are timed in the order of their bounds until none that
/// is left can win, or so many were timed; then `bound` is below `cycles`. The error says what the smallest tile needs, where none fits.
[[nodiscard]] inline outcome<chosen_cut<tiling>> best_tiling(const layer& l, const accel_machine& m, std::size_t most_timed = 24) {
    std::vector<bounded_cut<tiling>> all;
    for (const tiling& t : tilings_of(l, m)) all.push_back({least_cycles(l, m, t), t});
    if (all.empty()) {
        const tile_sizes least = tile_sizes::of(l, m, {});
        return error{"no tile of the layer fits: one place of " + std::to_string(least.block) + " output channels needs " +
                     std::to_string(least.scratchpad_lines * accel_machine::line) + " bytes of scratchpad and " +
                     std::to_string(least.sum_lines * accel_machine::line) + " of accumulator, and there are " +
                     std::to_string(m.scratchpad_bytes) + " and " + std::to_string(m.accumulator_bytes)};
    }
    return best_cut(std::move(all), most_timed, [&](const tiling& t) -> outcome<std::int64_t> {
        const auto timeline = timeline_of(steps_of(m, tile_program(l, m, t)));
        if (!timeline) return timeline.failure();
        return timeline->total;
    });
}

}  // namespace inlay::accel_parts

#endif
