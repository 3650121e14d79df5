// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ACCEL_TILE_PROGRAM_HPP
#define INLAY_BACKEND_ACCEL_TILE_PROGRAM_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include <inlay/accelerator/systolic_array.hpp>
#include <inlay/backend/accel/accel_machine.hpp>
#include <inlay/backend/accel/instruction.hpp>
#include <inlay/backend/accel/layer.hpp>
#include <inlay/backend/accel/tiling.hpp>
#include <inlay/core/in_force.hpp>

namespace inlay::accel_parts {

/// The memories of a layer's program by `base`.
enum class layer_memory : std::uint8_t { input, packed, output };

/// Which weights and numbers stand where in the packed memory: by block of output channels its numbers, then for each chunk its weights.
struct packed_block {
    std::int64_t first_filter = 0, filters = 0;
    std::int64_t numbers_at = 0;           // biases, scales, range
    std::vector<std::int64_t> weights_at;  // by chunk
};
struct packed_chunk {
    std::int64_t tap_y = 0, tap_x = 0, first_channel = 0, channels = 0;
};
struct packed_form {
    std::vector<packed_chunk> chunks;
    std::vector<packed_block> blocks;
    std::int64_t bytes = 0;  // of one group; the groups follow one another

    [[nodiscard]] static packed_form of(const layer& l, const tile_sizes& s) {
        packed_form p;
        for (std::int64_t ty = 0; ty < l.y.taps; ++ty)
            for (std::int64_t tx = 0; tx < l.x.taps; ++tx)
                for (std::int64_t c = 0; c < l.channels; c += s.chunk) p.chunks.push_back({ty, tx, c, std::min(s.chunk, l.channels - c)});
        for (std::int64_t f = 0; f < l.filters; f += s.block) {
            packed_block b{f, std::min(s.block, l.filters - f), p.bytes, {}};
            p.bytes += (2 * accel_machine::lines(b.filters * 4) + 1) * accel_machine::line;
            for (const packed_chunk& c : p.chunks) {
                b.weights_at.push_back(p.bytes);
                p.bytes += c.channels * b.filters * l.element();
            }
            p.bytes = accel_machine::lines(p.bytes) * accel_machine::line;
            p.blocks.push_back(std::move(b));
        }
        return p;
    }
};

/// Calls `use(first, rows, bytes)` for the instructions that move rows of so many bytes, `stride` bytes apart in the memory outside, to or
/// from lines that follow one another. Rows that lie side by side on both sides go as longer ones, where that takes fewer cycles.
template <class Use>
void each_transfer(const accel_machine& m, std::int64_t rows, std::int64_t bytes, std::int64_t stride, Use&& use) {
    constexpr std::int64_t longest = 65535;  // of a row, by the width of its field
    if (stride == bytes && bytes % accel_machine::line == 0 && 2 * bytes <= longest && rows > 1 &&
        in_force<"accel.program.joined-rows">()) {
        const std::int64_t pieces = (rows * bytes + longest / bytes * bytes - 1) / (longest / bytes * bytes);
        const std::int64_t joined = (rows + pieces - 1) / pieces, whole = rows / joined, left = rows % joined;
        const std::int64_t cycles = m.dma.cycles(whole, joined * bytes) + (left != 0 ? m.dma.cycles(1, left * bytes) : 0);
        if (cycles < m.dma.cycles(rows, bytes)) {
            use(std::int64_t{0}, whole, joined * bytes);
            if (left != 0) use(whole * joined, std::int64_t{1}, left * bytes);
            return;
        }
    }
    use(std::int64_t{0}, rows, bytes);
}

/// The cycles of these instructions.
[[nodiscard]] inline std::int64_t transfer_cycles(const accel_machine& m, std::int64_t rows, std::int64_t bytes, std::int64_t stride) {
    std::int64_t cycles = 0;
    each_transfer(m, rows, bytes, stride,
                  [&](std::int64_t, std::int64_t moved, std::int64_t each) { cycles += m.dma.cycles(moved, each); });
    return cycles;
}

namespace detail {

/// Writes the instructions of a layer, tile after tile, group after group.
class tile_writer {
public:
    tile_writer(const layer& l, const accel_machine& m, const tiling& t)
        : l_(l), m_(m), t_(t), s_(tile_sizes::of(l, m, t)), packed_(packed_form::of(l, s_)) {}

    [[nodiscard]] std::vector<instruction> write() {
        const std::int64_t row_tiles = (l_.y.out + t_.rows - 1) / t_.rows, column_tiles = (l_.x.out + t_.columns - 1) / t_.columns;
        const std::int64_t parts = l_.images * row_tiles * column_tiles;
        const std::int64_t channel_tiles = (s_.block_count + s_.tile_blocks - 1) / s_.tile_blocks;
        tiles_ = l_.groups * parts * channel_tiles;
        blocks_ = l_.groups * parts * s_.block_count;
        const bool channels_outside = t_.keeps == kept_operand::weights;
        const std::int64_t outer = channels_outside ? channel_tiles : parts, inner = channels_outside ? parts : channel_tiles;
        for (round_ = 0; round_ < l_.groups * outer; ++round_) {
            const std::int64_t o = round_ % outer;
            layer_group_ = round_ / outer;
            for (std::int64_t i = 0; i < inner; ++i) {
                const std::int64_t part = channels_outside ? i : o, channel_tile = channels_outside ? o : i;
                place_part(part, row_tiles, column_tiles);
                const bool is_first = i == 0;
                overwrites_ = t_.in_place && is_first && round_ != 0;
                is_overwritten_ = t_.in_place && i + 1 == inner;
                loads_x_ = t_.keeps != kept_operand::inputs || is_first;
                loads_w_ = t_.keeps != kept_operand::weights || is_first;
                write_tile(channel_tile * s_.tile_blocks, std::min(s_.tile_blocks, s_.block_count - channel_tile * s_.tile_blocks));
                ++tile_;
            }
        }
        return std::move(made_);
    }

private:
    void place_part(std::int64_t part, std::int64_t row_tiles, std::int64_t column_tiles) {
        image_ = part / (row_tiles * column_tiles);
        first_row_ = part / column_tiles % row_tiles * t_.rows;
        first_column_ = part % column_tiles * t_.columns;
        rows_ = std::min(t_.rows, l_.y.out - first_row_);
        columns_ = std::min(t_.columns, l_.x.out - first_column_);
    }

    instruction& add(opcode op, std::initializer_list<std::int64_t> values) {
        instruction i{op};
        std::size_t f = 0;
        for (const std::int64_t v : values) i.values[f++] = static_cast<std::uint32_t>(v);
        made_.push_back(i);
        return made_.back();
    }
    /// An instruction of the load unit; the first of a group waits until the slot that it writes is free.
    void add_load(opcode op, std::initializer_list<std::int64_t> values) {
        instruction& i = add(op, values);
        i.takes.add(work_unit::compute, std::exchange(waits_for_slot_, false));
        i.takes.add(work_unit::finish, std::exchange(waits_for_numbers_, false));
        last_load_ = made_.size() - 1;
    }

    void write_tile(std::int64_t first_block, std::int64_t blocks) {
        const std::int64_t slot = tile_ % s_.slots;
        for (std::size_t q = 0; q < packed_.chunks.size(); ++q, ++group_) {
            waits_for_slot_ = group_ >= s_.slots && !std::exchange(has_waited_, false);
            waits_for_numbers_ = q == 0 && tile_ >= s_.slots;
            if (q == 0)
                for (std::int64_t b = 0; b < blocks; ++b) load_numbers(first_block + b, numbers_line(slot, b));
            const auto chunk = static_cast<std::int64_t>(q);
            const std::int64_t x_place = t_.keeps == kept_operand::inputs ? kept_place(chunk) : group_ % s_.slots;
            const std::int64_t w_place = t_.keeps == kept_operand::weights ? kept_place(chunk) : group_ % s_.slots;
            const auto load_x = [&] {
                if (loads_x_) load_inputs(packed_.chunks[q], s_.x_at + x_place * s_.x_lines);
            };
            const auto load_w = [&] {
                for (std::int64_t b = 0; loads_w_ && b < blocks; ++b) load_weights(first_block + b, q, weights_line(w_place, b));
            };
            // What is kept in place comes last, and waits until the array has read what it overwrites.
            const bool x_is_last = t_.in_place && t_.keeps == kept_operand::inputs;
            if (x_is_last) load_w();
            if (!x_is_last) load_x();
            if (overwrites_) has_waited_ = waits_for_slot_ = true;
            if (x_is_last) load_x();
            if (!x_is_last) load_w();
            made_[last_load_].gives.add(work_unit::compute);
            bool is_first = true;
            for (std::int64_t b = 0; b < blocks; ++b)
                is_first = multiply(first_block + b, q, x_place, weights_line(w_place, b), b, is_first);
            const std::int64_t groups = tiles_ * s_.chunk_count;
            made_.back().gives.add(work_unit::load, group_ + s_.slots < groups || (is_overwritten_ && group_ + 1 < groups));
        }
        finish_tile(first_block, blocks, slot);
        store_tile(first_block, blocks, slot);
        block_ += blocks;
    }
    /// With one chunk, what the next round keeps has the other place.
    [[nodiscard]] std::int64_t kept_place(std::int64_t chunk) const {
        return s_.chunk_count > 1 ? chunk : t_.in_place ? 0 : round_ % s_.slots;
    }

    [[nodiscard]] std::int64_t numbers_line(std::int64_t slot, std::int64_t block) const {
        return (slot * s_.tile_blocks + block) * s_.number_lines;
    }
    [[nodiscard]] std::int64_t out_line(std::int64_t slot, std::int64_t block) const {
        return s_.out_at + (slot * s_.tile_blocks + block) * s_.out_lines;
    }
    [[nodiscard]] std::int64_t weights_line(std::int64_t place, std::int64_t block) const {
        return s_.w_at + (place * s_.tile_blocks + block) * s_.w_lines;
    }
    /// The sums of a tile's block. Blocks take the places of the accumulator in turn, so that the array begins a block while others are
    /// finished.
    [[nodiscard]] std::int64_t sums_line(std::int64_t block) const {
        return (block_ + block) % s_.sum_places * s_.places * accel_machine::lines(s_.block * 4);
    }

    /// Where the group that is being written has what stands there in the first one.
    [[nodiscard]] std::int64_t packed_at(std::int64_t at) const { return layer_group_ * packed_.bytes + at; }
    void load_rows(std::int64_t base, std::int64_t at, std::int64_t to, std::int64_t rows, std::int64_t bytes, std::int64_t stride) {
        const std::int64_t pitch = accel_machine::lines(bytes);
        each_transfer(m_, rows, bytes, stride, [&](std::int64_t first, std::int64_t moved, std::int64_t each) {
            add_load(opcode::load, {base, at + first * stride, to + first * pitch, moved, each, each == bytes ? stride : each});
        });
    }
    void load_numbers(std::int64_t block, std::int64_t to) {
        const packed_block& b = packed_.blocks[static_cast<std::size_t>(block)];
        const std::int64_t lines = 2 * accel_machine::lines(b.filters * 4) + 1;
        add_load(opcode::load, {packed_base, packed_at(b.numbers_at), to, 1, lines * accel_machine::line, 0});
    }
    void load_weights(std::int64_t block, std::size_t chunk, std::int64_t to) {
        const packed_block& b = packed_.blocks[static_cast<std::size_t>(block)];
        const std::int64_t bytes = b.filters * l_.element();
        load_rows(packed_base, packed_at(b.weights_at[chunk]), to, packed_.chunks[chunk].channels, bytes, bytes);
    }
    /// What the tap of a chunk sees at each place of the tile, row by row; beside the image stands a fixed byte.
    void load_inputs(const packed_chunk& c, std::int64_t to) {
        const std::int64_t pitch = accel_machine::lines(c.channels * l_.element()), pixel = l_.groups * l_.channels * l_.element();
        const std::int64_t first_channel = layer_group_ * l_.channels + c.first_channel;
        const auto fill = [&](std::int64_t places) {
            if (places > 0) add_load(opcode::fill, {to, places * pitch, l_.beside});
            to += places * pitch;
        };
        for (std::int64_t r = 0; r < rows_; ++r) {
            const std::int64_t row = l_.y.place(first_row_ + r, c.tap_y);
            if (row < 0 || row >= l_.y.in) {
                fill(columns_);
                continue;
            }
            std::int64_t first = 0, last = columns_;
            while (first < columns_ && l_.x.place(first_column_ + first, c.tap_x) < 0) ++first;
            while (last > first && l_.x.place(first_column_ + last - 1, c.tap_x) >= l_.x.in) --last;
            fill(first);
            if (last > first) {
                const std::int64_t column = l_.x.place(first_column_ + first, c.tap_x);
                load_rows(input_base, ((image_ * l_.y.in + row) * l_.x.in + column) * pixel + first_channel * l_.element(), to,
                          last - first, c.channels * l_.element(), l_.x.stride * pixel);
                to += (last - first) * pitch;
            }
            fill(columns_ - last);
        }
    }

    /// The folds of one chunk and block; gives whether the next one is still the first of its group.
    bool multiply(std::int64_t block, std::size_t chunk, std::int64_t x_place, std::int64_t weights, std::int64_t in_tile, bool is_first) {
        const packed_block& b = packed_.blocks[static_cast<std::size_t>(block)];
        const std::int64_t channels = packed_.chunks[chunk].channels, places = rows_ * columns_;
        const std::int64_t x_pitch = accel_machine::lines(channels * l_.element()), sum_pitch = accel_machine::lines(b.filters * 4);
        const std::int64_t step = m_.array.most_product_rows().value_or(places);
        for (std::int64_t p = 0; p < places; p += step) {
            instruction& i =
                add(opcode::multiply, {s_.x_at + x_place * s_.x_lines + p * x_pitch, weights, sums_line(in_tile) + p * sum_pitch,
                                       std::min(step, places - p), channels, b.filters, chunk != 0, static_cast<std::int64_t>(l_.type)});
            i.takes.add(work_unit::load, std::exchange(is_first, false));
            i.takes.add(work_unit::finish, p == 0 && chunk == 0 && block_ + in_tile >= s_.sum_places);
        }
        made_.back().gives.add(work_unit::finish, chunk + 1 == packed_.chunks.size());
        return is_first;
    }
    void finish_tile(std::int64_t first_block, std::int64_t blocks, std::int64_t slot) {
        for (std::int64_t b = 0; b < blocks; ++b) {
            const packed_block& one = packed_.blocks[static_cast<std::size_t>(first_block + b)];
            instruction& i = add(opcode::finish, {sums_line(b), numbers_line(slot, b), out_line(slot, b), rows_ * columns_, one.filters,
                                                  static_cast<std::int64_t>(l_.type)});
            i.takes.add(work_unit::compute);
            i.takes.add(work_unit::store, b == 0 && tile_ >= s_.slots);
            i.gives.add(work_unit::store);
            i.gives.add(work_unit::compute, block_ + b + s_.sum_places < blocks_);
            i.gives.add(work_unit::load, b + 1 == blocks && tile_ + s_.slots < tiles_);
        }
    }
    void store_tile(std::int64_t first_block, std::int64_t blocks, std::int64_t slot) {
        const std::int64_t pixel = l_.groups * l_.filters * l_.element();
        const bool is_whole = columns_ == l_.x.out;
        for (std::int64_t b = 0; b < blocks; ++b) {
            bool is_first = true;
            const packed_block& one = packed_.blocks[static_cast<std::size_t>(first_block + b)];
            const std::int64_t first_filter = layer_group_ * l_.filters + one.first_filter;
            const std::int64_t bytes = one.filters * l_.element(), pitch = accel_machine::lines(bytes);
            const std::int64_t runs = is_whole ? 1 : rows_, each = is_whole ? rows_ * columns_ : columns_;
            for (std::int64_t r = 0; r < runs; ++r) {
                const std::int64_t place = (image_ * l_.y.out + first_row_ + r) * l_.x.out + first_column_;
                const std::int64_t at = place * pixel + first_filter * l_.element(), from = out_line(slot, b) + r * columns_ * pitch;
                each_transfer(m_, each, bytes, pixel, [&](std::int64_t first, std::int64_t moved, std::int64_t of_row) {
                    instruction& i = add(opcode::store, {output_base, at + first * pixel, from + first * pitch, moved, of_row,
                                                         of_row == bytes ? pixel : of_row});
                    i.takes.add(work_unit::finish, std::exchange(is_first, false));
                });
            }
        }
        made_.back().gives.add(work_unit::finish, tile_ + s_.slots < tiles_);
    }

    static constexpr auto input_base = static_cast<std::int64_t>(layer_memory::input),
                          packed_base = static_cast<std::int64_t>(layer_memory::packed),
                          output_base = static_cast<std::int64_t>(layer_memory::output);

    const layer& l_;
    const accel_machine& m_;
    tiling t_;
    tile_sizes s_;
    packed_form packed_;
    std::vector<instruction> made_;
    std::int64_t tiles_ = 0, blocks_ = 0, tile_ = 0, block_ = 0, group_ = 0, round_ = 0, layer_group_ = 0;
    std::int64_t image_ = 0, first_row_ = 0, first_column_ = 0, rows_ = 0, columns_ = 0;
    std::size_t last_load_ = 0;
    bool loads_x_ = true, loads_w_ = true, waits_for_slot_ = false, waits_for_numbers_ = false;
    bool overwrites_ = false, is_overwritten_ = false;  // the place of what is kept: by this tile, behind it
    bool has_waited_ = false;                           // the group before has taken the token of the next one
};

}  // namespace detail

/// The instructions of a layer in a tiling. Precondition: the tiling fits the machine. Linear in them.
[[nodiscard]] inline std::vector<instruction> tile_program(const layer& l, const accel_machine& m, const tiling& t) {
    return detail::tile_writer(l, m, t).write();
}

}  // namespace inlay::accel_parts

#endif
