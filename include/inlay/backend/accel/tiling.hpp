// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ACCEL_TILING_HPP
#define INLAY_BACKEND_ACCEL_TILING_HPP

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/accelerator/pieces.hpp>
#include <inlay/accelerator/systolic_array.hpp>
#include <inlay/backend/accel/accel_machine.hpp>
#include <inlay/backend/accel/layer.hpp>

namespace inlay::accel_parts {

/// What stays in the scratchpad from one tile to the next.
enum class kept_operand : std::uint8_t { none, inputs, weights };

/// How a layer is cut into tiles: rows and columns of places of the result, and so many blocks of output channels. `inputs` kept: tiles of
/// one image part follow each other, channels innermost; `weights` kept: those of the same channels do.
struct tiling {
    std::int64_t rows = 1, columns = 1, blocks = 1;
    kept_operand keeps = kept_operand::none;

    friend bool operator==(const tiling&, const tiling&) = default;
};

/// The sizes that follow from a layer, a machine and a tiling.
struct tile_sizes {
    std::int64_t block = 1;  // output channels of a block, at most
    std::int64_t chunk = 1;  // channels that are summed over at once, at most
    std::int64_t chunk_count = 1, block_count = 1, tile_blocks = 1;
    std::int64_t places = 1;                                                 // of a tile, at most
    std::int64_t slots = 2;                                                  // of what is loaded ahead
    std::int64_t number_lines = 0, out_lines = 0, x_lines = 0, w_lines = 0;  // of one block, one block, one chunk, one chunk and block
    std::int64_t x_places = 0, w_places = 0;                                 // chunks (and their blocks) that have a place of their own
    std::int64_t scratchpad_lines = 0, sum_lines = 0;                        // all in all
    std::int64_t out_at = 0, x_at = 0, w_at = 0;                             // lines; numbers begin at 0

    [[nodiscard]] static tile_sizes of(const layer& l, const accel_machine& m, const tiling& t) {
        constexpr std::int64_t most_streamed = 512;
        tile_sizes s;
        const bool outputs_stay = m.array.flow == array_flow::output_stationary, inputs_stay = m.array.flow == array_flow::input_stationary;
        s.block = std::min(l.filters, inputs_stay ? std::min<std::int64_t>(4 * m.array.columns, most_streamed) : m.array.columns);
        // What streams past outputs that stay may be long, but that its weights are not to fill the scratchpad.
        const std::int64_t streamed = std::clamp<std::int64_t>(m.scratchpad_bytes / accel_machine::line / 16, 1, most_streamed);
        s.chunk = std::min(l.channels, outputs_stay ? streamed : m.array.rows);
        s.chunk_count = l.taps() * ((l.channels + s.chunk - 1) / s.chunk);
        s.block_count = (l.filters + s.block - 1) / s.block;
        s.tile_blocks = std::min(t.blocks, s.block_count);
        s.places = t.rows * t.columns;
        s.slots = m.double_buffering ? 2 : 1;
        const std::int64_t sum_pitch = accel_machine::lines(s.block * 4);
        s.number_lines = 2 * sum_pitch + 1;
        s.out_lines = s.places * accel_machine::lines(s.block * l.element());
        s.x_lines = s.places * accel_machine::lines(s.chunk * l.element());
        s.w_lines = s.chunk * accel_machine::lines(s.block * l.element());
        // What is kept is overwritten a whole round of chunks later; with one chunk that is too soon for one place.
        const std::int64_t kept = std::max(s.chunk_count, s.slots);
        s.x_places = t.keeps == kept_operand::inputs ? kept : s.slots;
        s.w_places = (t.keeps == kept_operand::weights ? kept : s.slots) * s.tile_blocks;
        s.out_at = s.slots * s.tile_blocks * s.number_lines;
        s.x_at = s.out_at + s.slots * s.tile_blocks * s.out_lines;
        s.w_at = s.x_at + s.x_places * s.x_lines;
        s.scratchpad_lines = s.w_at + s.w_places * s.w_lines;
        s.sum_lines = s.tile_blocks * s.places * sum_pitch;
        return s;
    }
    [[nodiscard]] bool fit(const accel_machine& m) const {
        constexpr std::int64_t most_places = (1 << 14) - 1;
        return scratchpad_lines * accel_machine::line <= m.scratchpad_bytes && sum_lines * accel_machine::line <= m.accumulator_bytes &&
               places <= most_places;
    }
};

/// `rows 4, columns 14, blocks 2, keeps inputs`.
[[nodiscard]] inline std::string to_string(const tiling& t) {
    constexpr const char* kept[] = {"nothing", "inputs", "weights"};
    return "rows " + std::to_string(t.rows) + ", columns " + std::to_string(t.columns) + ", blocks " + std::to_string(t.blocks) +
           ", keeps " + kept[static_cast<std::size_t>(t.keeps)];
}

/// All tilings of a layer that the search looks at and that fit: halves, quarters and so on of rows, columns and blocks.
[[nodiscard]] inline std::vector<tiling> tilings_of(const layer& l, const accel_machine& m) {
    std::vector<tiling> made;
    const std::int64_t block_count = tile_sizes::of(l, m, {}).block_count;
    for (const std::int64_t columns : halves_of(l.x.out))
        for (const std::int64_t rows : columns == l.x.out ? halves_of(l.y.out) : std::vector<std::int64_t>{1})
            for (const std::int64_t blocks : halves_of(block_count))
                for (const kept_operand keeps : {kept_operand::none, kept_operand::inputs, kept_operand::weights}) {
                    const tiling t{rows, columns, blocks, keeps};
                    if (tile_sizes::of(l, m, t).fit(m)) made.push_back(t);
                }
    return made;
}

}  // namespace inlay::accel_parts

#endif
