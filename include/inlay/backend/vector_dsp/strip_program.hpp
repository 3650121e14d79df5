// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_VECTOR_DSP_STRIP_PROGRAM_HPP
#define INLAY_BACKEND_VECTOR_DSP_STRIP_PROGRAM_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <utility>
#include <vector>

#include <inlay/accelerator/operand_type.hpp>
#include <inlay/backend/vector_dsp/dsp_machine.hpp>
#include <inlay/backend/vector_dsp/instruction.hpp>
#include <inlay/backend/vector_dsp/strip_cut.hpp>
#include <inlay/backend/vector_dsp/strip_layer.hpp>

namespace inlay::dsp_parts {

/// The memories of a layer's program by `base`.
enum class strip_memory : std::uint8_t { input, packed, output, second_input };

namespace detail {

/// The bits of the least number of a type, four times where it is a byte.
[[nodiscard]] inline std::uint32_t least_number(operand_type t) {
    if (t == operand_type::signed_bytes) return 0x80808080u;
    if (t == operand_type::unsigned_bytes) return 0;
    const float least = -std::numeric_limits<float>::infinity();
    std::uint32_t bits = 0;
    std::memcpy(&bits, &least, 4);
    return bits;
}

/// Writes the instructions of a layer, strip after strip.
class strip_writer {
public:
    strip_writer(const strip_layer& l, const dsp_machine& m, const strip_cut& c, std::uint8_t zero)
        : l_(l), c_(c), z_(strip_sizes::of(l, m, c)), zero_(zero) {
        each_strip(l, c, [&](const strip&) { ++strips_; });
    }

    [[nodiscard]] std::vector<instruction> write() {
        each_strip(l_, c_, [&](const strip& s) {
            load(s);
            writes_out_ = number_ >= z_.slots;
            reads_in_ = true;
            if (l_.work == strip_work::combination)
                combine(s);
            else
                for (std::int64_t r = 0; r < s.rows; ++r) row(s, r);
            made_.back().gives.add(work_unit::load, number_ + z_.slots < strips_);
            made_.back().gives.add(work_unit::store);
            const strip_rows out = rows_out(l_, s);
            instruction& last = add(opcode::store, {at(strip_memory::output), out.offset, out_at(), out.rows, out.bytes, out.stride});
            last.takes.add(work_unit::compute);
            last.gives.add(work_unit::compute, number_ + z_.slots < strips_);
            ++number_;
        });
        return std::move(made_);
    }

private:
    [[nodiscard]] static std::int64_t at(strip_memory m) { return static_cast<std::int64_t>(m); }
    [[nodiscard]] std::int64_t type() const { return static_cast<std::int64_t>(l_.type); }
    [[nodiscard]] std::int64_t slot() const { return number_ % z_.slots; }
    [[nodiscard]] std::int64_t x_at() const { return z_.x_at + slot() * z_.x_bytes; }
    [[nodiscard]] std::int64_t out_at() const { return z_.out_at + slot() * z_.out_bytes; }
    [[nodiscard]] std::int64_t numbers_at(const strip& s) const {
        return l_.work == strip_work::combination ? 0 : s.block_number % z_.slots * z_.numbers_bytes;
    }

    instruction& add(opcode op, std::initializer_list<std::int64_t> values) {
        instruction i{op};
        std::size_t f = 0;
        for (const std::int64_t v : values) i.values[f++] = static_cast<std::uint32_t>(v);
        made_.push_back(i);
        return made_.back();
    }
    /// An instruction of the vector unit: the first of a strip waits until the strip is loaded.
    instruction& add_vector(opcode op, std::initializer_list<std::int64_t> values) {
        instruction& i = add(op, values);
        i.takes.add(work_unit::load, std::exchange(reads_in_, false));
        return i;
    }
    /// One that writes results: the first of a strip waits until what stood there is stored.
    void add_result(opcode op, std::initializer_list<std::int64_t> values) {
        add_vector(op, values).takes.add(work_unit::store, std::exchange(writes_out_, false));
    }

    void load(const strip& s) {
        const std::size_t first = made_.size();
        const bool needs_numbers = l_.work == strip_work::combination ? number_ == 0 : l_.has_sums() && s.begins_block;
        if (needs_numbers) {
            const std::int64_t before = block_numbers::of(l_, c_.block).bytes * s.block_number;
            add(opcode::load, {at(strip_memory::packed), before, numbers_at(s), 1, block_numbers::of(l_, s.channels).bytes, 0});
        }
        const strip_rows in = rows_in(l_, s);
        add(opcode::load, {at(strip_memory::input), in.offset, x_at(), in.rows, in.bytes, in.stride});
        if (!l_.reads_one)
            add(opcode::load,
                {at(strip_memory::second_input), in.offset, z_.second_at + slot() * z_.x_bytes, in.rows, in.bytes, in.stride});
        made_[first].takes.add(work_unit::compute, number_ >= z_.slots);
        made_.back().gives.add(work_unit::compute);
    }
    void combine(const strip& s) {
        const std::int64_t second = l_.reads_one ? x_at() : z_.second_at + slot() * z_.x_bytes;
        add_result(opcode::combine, {x_at(), second, out_at(), numbers_at(s), s.channels, static_cast<std::int64_t>(l_.function), type()});
    }
    /// One row of results: taps that stand beside the image are left out, so that nothing stands for what is there.
    void row(const strip& s, std::int64_t r) {
        const std::int64_t element = l_.element(), out = out_at() + r * l_.x.out * s.channels * element;
        const block_numbers n = block_numbers::of(l_, s.channels);
        if (l_.has_sums())
            add_vector(opcode::spread, {numbers_at(s), z_.sums_at, l_.x.out, s.channels});
        else
            add_result(opcode::fill, {out, l_.x.out * s.channels * element, detail::least_number(l_.type)});
        for (std::int64_t ty = 0; ty < l_.y.taps; ++ty) {
            const std::int64_t in = l_.y.place(s.first_row + r, ty);
            if (in < 0 || in >= l_.y.in) continue;
            for (std::int64_t tx = 0; tx < l_.x.taps; ++tx) {
                const tap_axis::run run = l_.x.places_inside(tx);
                if (run.first == run.past) continue;
                const std::int64_t x = x_at() + ((in - s.first_in) * l_.x.in + l_.x.place(run.first, tx)) * s.channels * element;
                const std::int64_t places = run.past - run.first, step = l_.x.stride * s.channels, moved = run.first * s.channels;
                if (!l_.has_sums()) {
                    add_vector(opcode::max, {x, out + moved * element, places, s.channels, step, type()});
                    continue;
                }
                const std::int64_t tap = l_.work == strip_work::depthwise ? ty * l_.x.taps + tx : 0;
                add_vector(opcode::mac, {x, numbers_at(s) + n.weights_at + tap * s.channels * element, z_.sums_at + 4 * moved, places,
                                         s.channels, step, zero_, type()});
            }
        }
        if (l_.has_sums()) add_result(opcode::finish, {z_.sums_at, numbers_at(s) + n.scales_at, out, l_.x.out, s.channels, type()});
    }

    const strip_layer& l_;
    strip_cut c_;
    strip_sizes z_;
    std::uint8_t zero_ = 0;
    std::vector<instruction> made_;
    std::int64_t strips_ = 0, number_ = 0;
    bool reads_in_ = false, writes_out_ = false;
};

}  // namespace detail

/// The instructions of a layer in a cut, where `zero` is the zero point of bytes that are summed up. Precondition: the cut fits the
/// machine. Linear in them.
[[nodiscard]] inline std::vector<instruction> strip_program(const strip_layer& l, const dsp_machine& m, const strip_cut& c,
                                                            std::uint8_t zero = 0) {
    return detail::strip_writer(l, m, c, zero).write();
}

}  // namespace inlay::dsp_parts

#endif
