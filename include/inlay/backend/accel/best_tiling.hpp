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

/// Cycles for which the array and the vector unit are busy with a layer in a tiling: exactly those of its program, added up by kinds of
/// tiles.
struct busy_cycles {
    std::int64_t array = 0, finishes = 0;
};
[[nodiscard]] inline busy_cycles busy_cycles_of(const layer& l, const accel_machine& m, const tiling& t) {
    const tile_sizes s = tile_sizes::of(l, m, t);
    busy_cycles cycles;
    each_piece(l.y.out, t.rows, [&](std::int64_t rows, std::int64_t row_tiles) {
        each_piece(l.x.out, t.columns, [&](std::int64_t columns, std::int64_t column_tiles) {
            const std::int64_t places = rows * columns, tiles = l.images * row_tiles * column_tiles;
            const std::int64_t step = m.array.most_product_rows().value_or(places);
            each_piece(l.filters, s.block, [&](std::int64_t filters, std::int64_t blocks) {
                cycles.finishes += tiles * blocks * finish_cycles(m, places, filters);
                each_piece(l.channels, s.chunk, [&](std::int64_t channels, std::int64_t chunks) {
                    each_piece(places, step, [&](std::int64_t part, std::int64_t parts) {
                        cycles.array += tiles * blocks * l.taps() * chunks * parts *
                                        fold_cycles(m.array, mapped(m.array.flow, {part, channels, filters}));
                    });
                });
            });
        });
    });
    cycles.array *= l.groups;
    cycles.finishes *= l.groups;
    return cycles;
}

/// Cycles of a layer's transfers in a tiling, none of which is above those of its program. They are those of all loads and stores, of the
/// loads before the first product, and of the last block: its products behind the last load, its finish and its stores. `turns` are the
/// finishes of each tile's last block, for which loads wait where nothing is loaded ahead. `stalls` are loads of what is kept in place, for
/// which the array waits.
struct transfer_bounds {
    std::int64_t loads = 0, stores = 0, first_loads = 0, last_products = 0, last_finish = 0, last_stores = 0, turns = 0, stalls = 0;

    [[nodiscard]] static transfer_bounds of(const layer& l, const accel_machine& m, const tiling& t) {
        const tile_sizes s = tile_sizes::of(l, m, t);
        const std::int64_t element = l.element(), in_pixel = l.groups * l.channels * element, out_pixel = l.groups * l.filters * element;
        const std::int64_t row_tiles = (l.y.out + t.rows - 1) / t.rows, column_tiles = (l.x.out + t.columns - 1) / t.columns;
        const std::int64_t parts = l.images * row_tiles * column_tiles;
        const std::int64_t channel_tiles = (s.block_count + s.tile_blocks - 1) / s.tile_blocks;
        // Padding shortens loads of inputs row by row; there, bytes alone bound them.
        const bool is_plain = l.y.is_plain() && l.x.is_plain();
        const auto numbers = [&](std::int64_t filters) {
            return m.dma.cycles(1, (2 * accel_machine::lines(filters * 4) + 1) * accel_machine::line);
        };
        const auto weights = [&](std::int64_t channels, std::int64_t filters) {
            return transfer_cycles(m, channels, filters * element, filters * element);
        };
        const auto inputs = [&](std::int64_t rows, std::int64_t columns, std::int64_t channels) {
            return rows * transfer_cycles(m, columns, channels * element, l.x.stride * in_pixel);
        };
        const auto results = [&](std::int64_t rows, std::int64_t columns, std::int64_t filters) {
            return columns == l.x.out ? transfer_cycles(m, rows * columns, filters * element, out_pixel)
                                      : rows * transfer_cycles(m, columns, filters * element, out_pixel);
        };
        transfer_bounds made;
        std::int64_t all_weights = 0, all_numbers = 0, all_inputs = 0;
        each_piece(l.filters, s.block, [&](std::int64_t filters, std::int64_t blocks) {
            all_numbers += blocks * numbers(filters);
            each_piece(l.channels, s.chunk, [&](std::int64_t channels, std::int64_t chunks) {
                all_weights += blocks * chunks * l.taps() * weights(channels, filters);
            });
            each_piece(l.y.out, t.rows, [&](std::int64_t rows, std::int64_t rows_count) {
                each_piece(l.x.out, t.columns, [&](std::int64_t columns, std::int64_t columns_count) {
                    made.stores += l.groups * l.images * blocks * rows_count * columns_count * results(rows, columns, filters);
                });
            });
        });
        if (is_plain)
            each_piece(l.y.out, t.rows, [&](std::int64_t rows, std::int64_t rows_count) {
                each_piece(l.x.out, t.columns, [&](std::int64_t columns, std::int64_t columns_count) {
                    each_piece(l.channels, s.chunk, [&](std::int64_t channels, std::int64_t chunks) {
                        all_inputs += l.images * rows_count * columns_count * chunks * inputs(rows, columns, channels);
                    });
                });
            });
        const std::int64_t rounds_of_inputs = t.keeps == kept_operand::inputs ? 1 : channel_tiles;
        made.loads = l.groups * (all_weights * (t.keeps == kept_operand::weights ? 1 : parts) + all_numbers * parts) +
                     (is_plain ? l.groups * all_inputs * rounds_of_inputs
                               : m.dma.least_cycles(l.images * l.y.taps_inside() * l.x.taps_inside() * in_pixel * rounds_of_inputs));
        each_piece(std::min(l.filters, s.tile_blocks * s.block), s.block, [&](std::int64_t filters, std::int64_t blocks) {
            made.first_loads += blocks * (numbers(filters) + weights(s.chunk, filters));
        });
        if (t.in_place && t.keeps == kept_operand::weights) {
            std::int64_t first = 0;
            each_piece(std::min(l.filters, s.tile_blocks * s.block), s.block,
                       [&](std::int64_t filters, std::int64_t blocks) { first += blocks * weights(s.chunk, filters); });
            made.stalls = l.groups * all_weights - first;
        }
        if (t.in_place && t.keeps == kept_operand::inputs && is_plain)
            made.stalls = l.groups * all_inputs - inputs(std::min(t.rows, l.y.out), std::min(t.columns, l.x.out), s.chunk);
        if (is_plain) made.first_loads += inputs(std::min(t.rows, l.y.out), std::min(t.columns, l.x.out), s.chunk);
        const std::int64_t last_rows = l.y.out - (row_tiles - 1) * t.rows, last_columns = l.x.out - (column_tiles - 1) * t.columns;
        const std::int64_t last_filters = l.filters - (s.block_count - 1) * s.block, last_places = last_rows * last_columns;
        const std::int64_t last_channels = l.channels - (l.channels - 1) / s.chunk * s.chunk;
        each_piece(l.filters - (channel_tiles - 1) * s.tile_blocks * s.block, s.block, [&](std::int64_t filters, std::int64_t blocks) {
            each_piece(last_places, m.array.most_product_rows().value_or(last_places), [&](std::int64_t part, std::int64_t folds) {
                made.last_products += blocks * folds * fold_cycles(m.array, mapped(m.array.flow, {part, last_channels, filters}));
            });
        });
        made.last_finish = finish_cycles(m, last_places, last_filters);
        made.last_stores = results(last_rows, last_columns, last_filters);
        each_piece(l.y.out, t.rows, [&](std::int64_t rows, std::int64_t rows_count) {
            each_piece(l.x.out, t.columns, [&](std::int64_t columns, std::int64_t columns_count) {
                made.turns +=
                    l.groups * l.images * rows_count * columns_count *
                    ((channel_tiles - 1) * finish_cycles(m, rows * columns, s.block) + finish_cycles(m, rows * columns, last_filters));
            });
        });
        made.turns -= made.last_finish;
        return made;
    }
};

/// No program of a layer in a tiling takes fewer cycles. Array, vector unit, loads and stores each take so many, the array not before what
/// it needs first. The last block is finished and stored behind its products, which follow the last load. Without loads ahead, loads take
/// turns with the array and the finish of a tile's last block.
[[nodiscard]] inline std::int64_t least_cycles(const layer& l, const accel_machine& m, const tiling& t) {
    const transfer_bounds moved = transfer_bounds::of(l, m, t);
    const busy_cycles busy = busy_cycles_of(l, m, t);
    const std::int64_t before = m.double_buffering ? moved.first_loads : moved.loads + moved.turns;
    const std::int64_t behind = moved.last_finish + moved.last_stores;
    return std::max({before + busy.array + moved.stalls + behind, moved.loads + moved.last_products + behind,
                     moved.first_loads + busy.finishes + moved.last_stores, moved.first_loads + moved.stores});
}

/// The tiling whose program takes the fewest cycles, of `tilings_of` the layer: they are timed in the order of their bounds until none that
/// is left can win, or so many were timed; then `bound` is below `cycles`. All tilings of a small layer may be timed. The error
/// says what the smallest tile needs, where none fits.
[[nodiscard]] inline outcome<chosen_cut<tiling>> best_tiling(const layer& l, const accel_machine& m, std::size_t most_timed = 48) {
    std::vector<bounded_cut<tiling>> all;
    for (const tiling& t : tilings_of(l, m)) all.push_back({least_cycles(l, m, t), t});
    if (all.empty()) {
        const tile_sizes least = tile_sizes::of(l, m, {});
        return error{"no tile of the layer fits: one place of " + std::to_string(least.block) + " output channels needs " +
                     std::to_string(least.scratchpad_lines * accel_machine::line) + " bytes of scratchpad and " +
                     std::to_string(least.sum_lines * accel_machine::line) + " of accumulator, and there are " +
                     std::to_string(m.scratchpad_bytes) + " and " + std::to_string(m.accumulator_bytes)};
    }
    if (tile_extents::of(l, m).are_few(l)) most_timed = std::max<std::size_t>(most_timed, all.size());
    return best_cut(std::move(all), most_timed, [&](const tiling& t) -> outcome<std::int64_t> {
        const auto timeline = timeline_of(steps_of(m, tile_program(l, m, t)));
        if (!timeline) return timeline.failure();
        return timeline->total;
    });
}

}  // namespace inlay::accel_parts

#endif
