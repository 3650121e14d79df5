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
#include <inlay/core/in_force.hpp>

namespace inlay::accel_parts {

/// What stays in the scratchpad from one tile to the next.
enum class kept_operand : std::uint8_t { none, inputs, weights };

/// How a layer is cut into tiles: rows and columns of places of the result, and so many blocks of output channels. `inputs` kept: tiles of
/// one image part follow each other, channels innermost; `weights` kept: those of the same channels do. `streamed` is how many channels
/// (where outputs stay) or output channels (where inputs stay) stream past the array at once, at most; 0: as many as `usual_stream`.
/// `in_place`: what is kept of a single chunk has one place, which is loaded anew once the array has read it for the last time.
struct tiling {
    std::int64_t rows = 1, columns = 1, blocks = 1;
    kept_operand keeps = kept_operand::none;
    std::int64_t streamed = 0;
    bool in_place = false;

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
    std::int64_t sum_places = 0;                  // blocks whose sums have a place at one time: all that the accumulator has room for
    std::int64_t out_at = 0, x_at = 0, w_at = 0;  // lines; numbers begin at 0

    /// The most that an instruction streams past the array, by the width of its field.
    static constexpr std::int64_t most_streamed = (1 << 14) - 1;
    /// How much streams past at once if a tiling does not say it: enough that the array is busy, and what fits a small scratchpad.
    [[nodiscard]] static std::int64_t usual_stream(const accel_machine& m) {
        constexpr std::int64_t enough = 512;
        if (m.array.flow == array_flow::input_stationary) return std::min<std::int64_t>(4 * m.array.columns, enough);
        return std::clamp<std::int64_t>(m.scratchpad_bytes / accel_machine::line / 16, 1, enough);
    }

    [[nodiscard]] static tile_sizes of(const layer& l, const accel_machine& m, const tiling& t) {
        tile_sizes s;
        const bool outputs_stay = m.array.flow == array_flow::output_stationary, inputs_stay = m.array.flow == array_flow::input_stationary;
        const std::int64_t streamed = t.streamed != 0 ? t.streamed : usual_stream(m);
        s.block = std::min(l.filters, inputs_stay ? streamed : m.array.columns);
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
        // What is kept is overwritten a whole round of chunks later; with one chunk that is too soon for one place, unless loads wait.
        const std::int64_t kept = t.in_place ? s.chunk_count : std::max(s.chunk_count, s.slots);
        s.x_places = t.keeps == kept_operand::inputs ? kept : s.slots;
        s.w_places = (t.keeps == kept_operand::weights ? kept : s.slots) * s.tile_blocks;
        s.out_at = s.slots * s.tile_blocks * s.number_lines;
        s.x_at = s.out_at + s.slots * s.tile_blocks * s.out_lines;
        s.w_at = s.x_at + s.x_places * s.x_lines;
        s.scratchpad_lines = s.w_at + s.w_places * s.w_lines;
        s.sum_lines = s.tile_blocks * s.places * sum_pitch;
        s.sum_places = s.tile_blocks;
        if (in_force<"accel.tiling.finish">())
            s.sum_places = std::max(s.sum_places, m.accumulator_bytes / accel_machine::line / (s.places * sum_pitch));
        return s;
    }
    [[nodiscard]] bool fit(const accel_machine& m) const {
        constexpr std::int64_t most_places = (1 << 14) - 1, most_row_lines = 65535 / accel_machine::line;
        return block <= most_streamed && chunk <= most_streamed && number_lines <= most_row_lines && w_lines <= most_row_lines * chunk &&
               x_lines <= most_row_lines * places && scratchpad_lines * accel_machine::line <= m.scratchpad_bytes &&
               sum_lines * accel_machine::line <= m.accumulator_bytes && places <= most_places;
    }
};

/// `rows 4, columns 14, blocks 2, keeps inputs`.
[[nodiscard]] inline std::string to_string(const tiling& t) {
    constexpr const char* kept[] = {"nothing", "inputs", "weights"};
    return "rows " + std::to_string(t.rows) + ", columns " + std::to_string(t.columns) + ", blocks " + std::to_string(t.blocks) +
           ", keeps " + kept[static_cast<std::size_t>(t.keeps)] + (t.in_place ? " in place" : "") +
           (t.streamed != 0 ? ", streams " + std::to_string(t.streamed) : "");
}

/// The extents that the tiles of a layer may have: of rows, columns, blocks and what streams past.
struct tile_extents {
    std::int64_t rows = 1, columns = 1, blocks = 1, streamed = 1;

    [[nodiscard]] static tile_extents of(const layer& l, const accel_machine& m) {
        const std::int64_t whole = m.array.flow == array_flow::output_stationary  ? l.channels
                                   : m.array.flow == array_flow::input_stationary ? l.filters
                                                                                  : 1;
        return {l.y.out, l.x.out, tile_sizes::of(l, m, {}).block_count, whole};
    }
    /// Whether there are so few tiles, and programs of them so small, that all can be looked at.
    [[nodiscard]] bool are_few(const layer& l) const {
        constexpr std::int64_t most = 512;
        std::int64_t all = 1;
        for (const std::int64_t e : {rows, columns, l.filters, streamed, l.images * l.groups * l.taps()}) {
            if (e > most) return false;
            all *= e;
            if (all > most) return false;
        }
        return true;
    }
};

/// How much may stream past at once, of a layer: all of it, its half and so on, as long as that is more than the array takes to fill; and
/// what is usual.
[[nodiscard]] inline std::vector<std::int64_t> streams_of(std::int64_t whole, const accel_machine& m) {
    std::vector<std::int64_t> made{0};
    if (m.array.flow == array_flow::weight_stationary || !in_force<"accel.tiling.stream">()) return made;
    const std::int64_t usual = std::min(whole, tile_sizes::usual_stream(m));
    for (const std::int64_t size : halves_of(whole))
        if (size != usual && (size > usual || size >= m.array.rows + m.array.columns)) made.push_back(size);
    return made;
}

/// The sizes of pieces that are looked at along columns: halves, and beside each the full folds next to it, so that no fold is all but
/// empty.
[[nodiscard]] inline std::vector<std::int64_t> column_sizes(std::int64_t whole, const accel_machine& m) {
    std::vector<std::int64_t> made = halves_of(whole);
    const std::int64_t fold = m.array.most_product_rows().value_or(1);
    if (fold == 1 || !in_force<"accel.tiling.folds">()) return made;
    for (const std::int64_t half : halves_of(whole))
        for (const std::int64_t size : {half / fold * fold, (half + fold - 1) / fold * fold})
            if (size > 0 && size < whole && std::find(made.begin(), made.end(), size) == made.end()) made.push_back(size);
    return made;
}

/// All tilings of a layer that the search looks at and that fit. A small layer has every one, others have halves, quarters and so on of
/// rows, columns, blocks and what streams past, and columns that are full folds.
[[nodiscard]] inline std::vector<tiling> tilings_of(const layer& l, const accel_machine& m) {
    std::vector<tiling> made;
    const auto take = [&](const tiling& t) {
        for (const kept_operand keeps : {kept_operand::none, kept_operand::inputs, kept_operand::weights}) {
            tiling one{t.rows, t.columns, t.blocks, keeps, t.streamed};
            const tile_sizes sizes = tile_sizes::of(l, m, one);
            if (sizes.fit(m)) made.push_back(one);
            one.in_place = keeps != kept_operand::none && sizes.chunk_count < sizes.slots;
            if (one.in_place && in_force<"accel.tiling.in-place">() && tile_sizes::of(l, m, one).fit(m)) made.push_back(one);
        }
    };
    const auto blocks_of = [&](std::int64_t streamed) { return tile_sizes::of(l, m, {1, 1, 1, kept_operand::none, streamed}).block_count; };
    const tile_extents whole = tile_extents::of(l, m);
    if (whole.are_few(l) && in_force<"accel.tiling.every">()) {
        const std::int64_t usual = std::min(whole.streamed, tile_sizes::usual_stream(m));
        for (std::int64_t streamed = 1; streamed <= whole.streamed; ++streamed)
            for (std::int64_t columns = 1; columns <= whole.columns; ++columns)
                for (std::int64_t rows = 1; rows <= whole.rows; ++rows)
                    for (std::int64_t blocks = 1, most = blocks_of(streamed == usual ? 0 : streamed); blocks <= most; ++blocks)
                        take({rows, columns, blocks, kept_operand::none, streamed == usual || whole.streamed == 1 ? 0 : streamed});
        return made;
    }
    for (const std::int64_t streamed : streams_of(whole.streamed, m))
        for (const std::int64_t columns : column_sizes(whole.columns, m))
            for (const std::int64_t rows : columns == whole.columns ? halves_of(whole.rows) : std::vector<std::int64_t>{1})
                for (const std::int64_t blocks : halves_of(blocks_of(streamed)))
                    take({rows, columns, blocks, kept_operand::none, streamed});
    return made;
}

}  // namespace inlay::accel_parts

#endif
