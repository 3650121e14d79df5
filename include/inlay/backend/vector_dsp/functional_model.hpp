// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_VECTOR_DSP_FUNCTIONAL_MODEL_HPP
#define INLAY_BACKEND_VECTOR_DSP_FUNCTIONAL_MODEL_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <inlay/accelerator/operand_type.hpp>
#include <inlay/accelerator/outside_memory.hpp>
#include <inlay/backend/vector_dsp/dsp_machine.hpp>
#include <inlay/backend/vector_dsp/instruction.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::dsp_parts {

/// What instructions do to memories, to the last bit. Every access is checked: what would leave a memory is an error, and changes nothing.
class functional_model {
public:
    explicit functional_model(const dsp_machine& m) : local_(static_cast<std::size_t>(m.memory_bytes)) {}

    [[nodiscard]] outcome<void> run(const instruction& i, std::span<const outside_memory> memories) {
        if (!is_inside(i, memories)) return error{"the instruction '" + to_string(i) + "' leaves a memory of the processor"};
        const auto& v = i.values;
        switch (i.op) {
            case opcode::load:
            case opcode::store:
                for (std::size_t r = 0; r < v[3]; ++r) {
                    std::byte* const here = local_.data() + v[2] + r * v[4];
                    const std::size_t there = v[1] + r * v[5];
                    if (i.op == opcode::load)
                        std::memcpy(here, memories[v[0]].read + there, v[4]);
                    else
                        std::memcpy(memories[v[0]].write + there, here, v[4]);
                }
                return {};
            case opcode::fill:
                for (std::size_t b = 0; b < v[1]; ++b) local_[v[0] + b] = static_cast<std::byte>(v[2] >> 8 * (b % 4) & 255);
                return {};
            case opcode::spread:
                for (std::size_t p = 0; p < v[2]; ++p)
                    std::copy_n(local_.begin() + v[0], std::size_t{4} * v[3],
                                local_.begin() + static_cast<std::ptrdiff_t>(v[1] + p * v[3] * 4));
                return {};
            case opcode::mac:
                multiply(i);
                return {};
            case opcode::max:
                maximum(i);
                return {};
            case opcode::finish:
                finish(i);
                return {};
            case opcode::combine:
                break;
        }
        combine(i);
        return {};
    }
    /// A whole program in its order.
    [[nodiscard]] outcome<void> run(std::span<const instruction> program, std::span<const outside_memory> memories) {
        for (const instruction& i : program)
            if (auto done = run(i, memories); !done) return done;
        return {};
    }

private:
    template <class T>
    [[nodiscard]] T get(std::size_t at) const {
        T v;
        std::memcpy(&v, local_.data() + at, sizeof(T));
        return v;
    }
    template <class T>
    void put(std::size_t at, T v) {
        std::memcpy(local_.data() + at, &v, sizeof(T));
    }
    [[nodiscard]] static operand_type type_of(std::uint32_t field) { return static_cast<operand_type>(field); }
    [[nodiscard]] int byte_at(std::size_t at, operand_type t) const {
        return t == operand_type::signed_bytes ? int{get<std::int8_t>(at)} : int{get<std::uint8_t>(at)};
    }
    [[nodiscard]] static int as_byte(std::uint32_t v, operand_type t) {
        return t == operand_type::signed_bytes ? int{static_cast<std::int8_t>(v)} : static_cast<int>(v);
    }

    [[nodiscard]] bool is_inside(const instruction& i, std::span<const outside_memory> memories) const {
        const auto& v = i.values;
        const auto fits = [&](std::size_t at, std::size_t bytes) { return at + bytes <= local_.size(); };
        const auto run = [](std::size_t places, std::size_t step, std::size_t channels, std::size_t element) {
            return places == 0 ? 0 : ((places - 1) * step + channels) * element;
        };
        switch (i.op) {
            case opcode::load:
            case opcode::store: {
                if (v[0] >= memories.size() || !fits(v[2], std::size_t{v[3]} * v[4])) return false;
                const outside_memory& m = memories[v[0]];
                if ((i.op == opcode::store ? static_cast<const std::byte*>(m.write) : m.read) == nullptr) return v[3] == 0;
                return v[3] == 0 || v[1] + (std::size_t{v[3]} - 1) * v[5] + v[4] <= m.bytes;
            }
            case opcode::fill:
                return fits(v[0], v[1]);
            case opcode::spread:
                return fits(v[0], std::size_t{4} * v[3]) && fits(v[1], std::size_t{4} * v[2] * v[3]);
            case opcode::mac: {
                const std::size_t element = bytes_of(type_of(v[7]));
                return fits(v[0], run(v[3], v[5], v[4], element)) && fits(v[1], v[4] * element) && fits(v[2], std::size_t{4} * v[3] * v[4]);
            }
            case opcode::max: {
                const std::size_t element = bytes_of(type_of(v[5]));
                return fits(v[0], run(v[2], v[4], v[3], element)) && fits(v[1], std::size_t{v[2]} * v[3] * element);
            }
            case opcode::finish:
                return fits(v[0], std::size_t{4} * v[3] * v[4]) && fits(v[1], std::size_t{4} * v[4] + 12) &&
                       fits(v[2], std::size_t{v[3]} * v[4] * bytes_of(type_of(v[5])));
            case opcode::combine:
                break;
        }
        const std::size_t bytes = std::size_t{v[4]} * bytes_of(type_of(v[6]));
        return fits(v[0], bytes) && fits(v[1], bytes) && fits(v[2], bytes) && fits(v[3], 32);
    }

    void multiply(const instruction& i) {
        const auto& v = i.values;
        const operand_type type = type_of(v[7]);
        const std::size_t element = bytes_of(type);
        const int zero = as_byte(v[6], type);
        for (std::size_t p = 0; p < v[3]; ++p)
            for (std::size_t c = 0; c < v[4]; ++c) {
                const std::size_t x = v[0] + (p * v[5] + c) * element, w = v[1] + c * element, sum = v[2] + (p * v[4] + c) * 4;
                if (type == operand_type::floats)
                    put(sum, get<float>(sum) + get<float>(x) * get<float>(w));
                else  // sums wrap, as those of hardware do
                    put(sum, get<std::uint32_t>(sum) + static_cast<std::uint32_t>((byte_at(x, type) - zero) * get<std::int8_t>(w)));
            }
    }
    /// NaN is greater than all, and the first one stays.
    void maximum(const instruction& i) {
        const auto& v = i.values;
        const operand_type type = type_of(v[5]);
        const std::size_t element = bytes_of(type);
        for (std::size_t p = 0; p < v[2]; ++p)
            for (std::size_t c = 0; c < v[3]; ++c) {
                const std::size_t x = v[0] + (p * v[4] + c) * element, y = v[1] + (p * v[3] + c) * element;
                if (type == operand_type::floats) {
                    const float now = get<float>(y), next = get<float>(x);
                    if (now == now && !(next <= now)) put(y, next);
                } else if (byte_at(x, type) > byte_at(y, type)) {
                    put(y, get<std::byte>(x));
                }
            }
    }
    /// Steps as an element: rounded half to even, moved by the zero point, cut. NaN is 0.
    [[nodiscard]] static std::byte steps_of(float steps, std::int32_t zero, float low, float high) {
        const float moved = std::nearbyint(steps) + static_cast<float>(zero);
        const float cut = moved <= low ? low : moved >= high ? high : moved == moved ? moved : 0.0f;
        return static_cast<std::byte>(static_cast<std::uint8_t>(static_cast<std::int32_t>(cut)));
    }
    void finish(const instruction& i) {
        const auto& v = i.values;
        const operand_type type = type_of(v[5]);
        const std::size_t range = v[1] + std::size_t{4} * v[4];
        for (std::size_t p = 0; p < v[3]; ++p)
            for (std::size_t c = 0; c < v[4]; ++c) {
                const std::size_t at = p * v[4] + c, sum = v[0] + at * 4;
                const float scale = get<float>(v[1] + 4 * c);
                if (type == operand_type::floats)
                    put(v[2] + at * 4, std::min(std::max(get<float>(sum) * scale, get<float>(range + 4)), get<float>(range + 8)));
                else
                    put(v[2] + at,
                        steps_of(static_cast<float>(get<std::int32_t>(sum)) * scale, get<std::int32_t>(range),
                                 static_cast<float>(get<std::int32_t>(range + 4)), static_cast<float>(get<std::int32_t>(range + 8))));
            }
    }
    /// The numbers: scales of a, of b and of the result, their zero points, least and greatest number.
    void combine(const instruction& i) {
        const auto& v = i.values;
        const operand_type type = type_of(v[6]);
        const auto function = static_cast<combine_function>(v[5]);
        const std::size_t n = v[3];
        const auto number = [&](std::size_t at, std::size_t e, std::size_t which) {
            if (type == operand_type::floats) return get<float>(at + 4 * e);
            return static_cast<float>(byte_at(at + e, type) - get<std::int32_t>(n + 12 + 4 * which)) * get<float>(n + 4 * which);
        };
        for (std::size_t e = 0; e < v[4]; ++e) {
            // Products are rounded before they are added: no compiler may make one step of the two.
            const volatile float a = number(v[0], e, 0), b = number(v[1], e, 1);
            float y = a;
            if (function == combine_function::add) y = a + b;
            if (function == combine_function::subtract) y = a - b;
            if (function == combine_function::multiply) y = a * b;
            y = std::min(std::max(y, get<float>(n + 24)), get<float>(n + 28));
            if (type == operand_type::floats)
                put(v[2] + 4 * e, y);
            else
                put(v[2] + e,
                    steps_of(y / get<float>(n + 8), get<std::int32_t>(n + 20), type == operand_type::signed_bytes ? -128.0f : 0.0f,
                             type == operand_type::signed_bytes ? 127.0f : 255.0f));
        }
    }

    std::vector<std::byte> local_;
};

}  // namespace inlay::dsp_parts

#endif
