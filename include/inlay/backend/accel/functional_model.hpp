// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ACCEL_FUNCTIONAL_MODEL_HPP
#define INLAY_BACKEND_ACCEL_FUNCTIONAL_MODEL_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <inlay/accelerator/operand_type.hpp>
#include <inlay/accelerator/outside_memory.hpp>
#include <inlay/backend/accel/accel_machine.hpp>
#include <inlay/backend/accel/instruction.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ops/loops/quantized_number.hpp>

namespace inlay::accel_parts {

/// What instructions do to memories, to the last bit. Every access is checked: what would leave a memory is an error, and changes nothing.
class functional_model {
public:
    explicit functional_model(const accel_machine& m)
        : scratchpad_(static_cast<std::size_t>(m.scratchpad_bytes)), sums_(static_cast<std::size_t>(m.accumulator_bytes)) {}

    [[nodiscard]] outcome<void> run(const instruction& i, std::span<const outside_memory> memories) {
        const auto value = [&](std::size_t f) { return static_cast<std::size_t>(i.values[f]); };
        switch (i.op) {
            case opcode::load:
            case opcode::store:
                return transfer(i, memories);
            case opcode::fill: {
                if (!fits(scratchpad_, value(0), value(1))) return outside(i);
                std::fill_n(scratchpad_.begin() + static_cast<std::ptrdiff_t>(value(0) * line), value(1) * line,
                            static_cast<std::byte>(value(2)));
                return {};
            }
            case opcode::multiply:
                return multiply(i);
            case opcode::finish:
                break;
        }
        return finish(i);
    }
    /// A whole program in its order.
    [[nodiscard]] outcome<void> run(std::span<const instruction> program, std::span<const outside_memory> memories) {
        for (const instruction& i : program)
            if (auto done = run(i, memories); !done) return done;
        return {};
    }

private:
    static constexpr auto line = static_cast<std::size_t>(accel_machine::line);
    static std::size_t lines(std::size_t bytes) { return (bytes + line - 1) / line; }

    [[nodiscard]] static outcome<void> outside(const instruction& i) {
        return error{"the instruction '" + to_string(i) + "' leaves a memory of the accelerator"};
    }
    [[nodiscard]] static bool fits(const std::vector<std::byte>& memory, std::size_t first_line, std::size_t count) {
        return (first_line + count) * line <= memory.size();
    }
    template <class T>
    [[nodiscard]] static T get(const std::vector<std::byte>& memory, std::size_t at) {
        T v;
        std::memcpy(&v, memory.data() + at, sizeof(T));
        return v;
    }
    template <class T>
    static void put(std::vector<std::byte>& memory, std::size_t at, T v) {
        std::memcpy(memory.data() + at, &v, sizeof(T));
    }

    [[nodiscard]] outcome<void> transfer(const instruction& i, std::span<const outside_memory> memories) {
        const std::size_t base = i.values[0], offset = i.values[1], local = i.values[2], rows = i.values[3], bytes = i.values[4],
                          stride = i.values[5];
        const std::size_t pitch = lines(bytes);
        if (base >= memories.size() || !fits(scratchpad_, local, rows * pitch)) return outside(i);
        const outside_memory& m = memories[base];
        if (rows != 0 && offset + (rows - 1) * stride + bytes > m.bytes) return outside(i);
        if (i.op == opcode::store && m.write == nullptr) return outside(i);
        for (std::size_t r = 0; r < rows; ++r) {
            std::byte* const here = scratchpad_.data() + (local + r * pitch) * line;
            if (i.op == opcode::load)
                std::memcpy(here, m.read + offset + r * stride, bytes);
            else
                std::memcpy(m.write + offset + r * stride, here, bytes);
        }
        return {};
    }

    [[nodiscard]] outcome<void> multiply(const instruction& i) {
        const auto type = static_cast<operand_type>(i.values[7]);
        const std::size_t element = bytes_of(type);
        const std::size_t m = i.values[3], k = i.values[4], n = i.values[5];
        const std::size_t x_pitch = lines(k * element), w_pitch = lines(n * element), y_pitch = lines(n * 4);
        if (!fits(scratchpad_, i.values[0], m * x_pitch) || !fits(scratchpad_, i.values[1], k * w_pitch) ||
            !fits(sums_, i.values[2], m * y_pitch))
            return outside(i);
        for (std::size_t r = 0; r < m; ++r)
            for (std::size_t c = 0; c < n; ++c) {
                const std::size_t to = (i.values[2] + r * y_pitch) * line + 4 * c;
                const std::size_t x = (i.values[0] + r * x_pitch) * line, w = i.values[1] * line + c * element;
                if (type == operand_type::floats) {
                    float sum = i.values[6] != 0 ? get<float>(sums_, to) : 0;
                    for (std::size_t q = 0; q < k; ++q)
                        sum += get<float>(scratchpad_, x + 4 * q) * get<float>(scratchpad_, w + q * w_pitch * line);
                    put(sums_, to, sum);
                    continue;
                }
                // Sums wrap, as those of hardware do.
                std::uint32_t sum = i.values[6] != 0 ? get<std::uint32_t>(sums_, to) : 0;
                for (std::size_t q = 0; q < k; ++q) {
                    const int a = type == operand_type::signed_bytes ? get<std::int8_t>(scratchpad_, x + q)
                                                                     : int{get<std::uint8_t>(scratchpad_, x + q)};
                    sum += static_cast<std::uint32_t>(a * get<std::int8_t>(scratchpad_, w + q * w_pitch * line));
                }
                put(sums_, to, sum);
            }
        return {};
    }

    /// The numbers of a tile: n biases, n scales, then zero point, least and greatest result; 32 bits each, lists beginning at lines.
    [[nodiscard]] outcome<void> finish(const instruction& i) {
        const auto type = static_cast<operand_type>(i.values[5]);
        const std::size_t element = bytes_of(type);
        const std::size_t m = i.values[3], n = i.values[4];
        const std::size_t y_pitch = lines(n * 4), to_pitch = lines(n * element);
        if (!fits(sums_, i.values[0], m * y_pitch) || !fits(scratchpad_, i.values[1], 2 * y_pitch + 1) ||
            !fits(scratchpad_, i.values[2], m * to_pitch))
            return outside(i);
        const std::size_t numbers = i.values[1] * line, scales = numbers + y_pitch * line, range = scales + y_pitch * line;
        for (std::size_t r = 0; r < m; ++r)
            for (std::size_t c = 0; c < n; ++c) {
                const std::size_t from = (i.values[0] + r * y_pitch) * line + 4 * c, to = (i.values[2] + r * to_pitch) * line + element * c;
                const float scale = get<float>(scratchpad_, scales + 4 * c);
                if (type == operand_type::floats) {
                    const float v = (get<float>(sums_, from) + get<float>(scratchpad_, numbers + 4 * c)) * scale;
                    put(scratchpad_, to, std::min(std::max(v, get<float>(scratchpad_, range + 4)), get<float>(scratchpad_, range + 8)));
                    continue;
                }
                const auto sum =
                    static_cast<std::int32_t>(get<std::uint32_t>(sums_, from) + get<std::uint32_t>(scratchpad_, numbers + 4 * c));
                const float moved =
                    std::nearbyint(static_cast<float>(sum) * scale) + static_cast<float>(get<std::int32_t>(scratchpad_, range));
                const auto low = static_cast<float>(get<std::int32_t>(scratchpad_, range + 4)),
                           high = static_cast<float>(get<std::int32_t>(scratchpad_, range + 8));
                const auto v = static_cast<std::int32_t>(moved <= low ? low : moved >= high ? high : moved == moved ? moved : 0.0f);
                put(scratchpad_, to, static_cast<std::uint8_t>(v));
            }
        return {};
    }

    std::vector<std::byte> scratchpad_, sums_;
};

}  // namespace inlay::accel_parts

#endif
