// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ACCEL_C_RUNTIME_HPP
#define INLAY_BACKEND_ACCEL_C_RUNTIME_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/accel/instruction.hpp>
#include <inlay/codegen/c/c_array.hpp>
#include <inlay/codegen/c/c_part.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay::accel_parts {

/// What programs that leave call: the machine as its vendor would ship it, here as functions of C99 that do what the instructions say. On
/// hardware the same function hands the program over. It needs no library.
inline constexpr std::string_view c_runtime = R"(#ifndef ACCEL_RUNTIME_H
#define ACCEL_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

/* A memory that instructions name by its number. What is read may not be written. */
struct accel_memory {
    const unsigned char* read;
    unsigned char* write;
};

struct accel_machine {
    unsigned char* scratchpad;
    unsigned char* sums;
};

static inline uint32_t accel_bits(const uint32_t* word, unsigned* at, unsigned bits) {
    uint32_t value = 0;
    for (unsigned b = 0; b < bits; ++b, ++*at) value |= (word[*at / 32] >> (*at % 32) & 1u) << b;
    return value;
}
static inline uint32_t accel_lines(uint32_t bytes) { return (bytes + 15u) / 16u; }

static inline float accel_float(const unsigned char* from) {
    union { uint32_t bits; float value; } one;
    one.bits = (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
    return one.value;
}
static inline uint32_t accel_word(const unsigned char* from) {
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}
static inline void accel_put_word(unsigned char* to, uint32_t v) {
    for (unsigned i = 0; i < 4; ++i) to[i] = (unsigned char)(v >> 8 * i);
}
static inline void accel_put_float(unsigned char* to, float v) {
    union { uint32_t bits; float value; } one;
    one.value = v;
    accel_put_word(to, one.bits);
}

/* Half to even: beyond 2 to the 23 floats have no fraction. */
static inline float accel_round(float v) {
    const float far = 8388608.0f;
    volatile float moved;
    if (!(v < far && v > -far)) return v;
    moved = v >= 0 ? v + far : v - far;
    return v >= 0 ? moved - far : moved + far;
}

static inline void accel_transfer(const struct accel_machine* m, const struct accel_memory* memories, const uint32_t* f, bool is_load) {
    const uint32_t pitch = accel_lines(f[4]) * 16u;
    for (uint32_t r = 0; r < f[3]; ++r) {
        unsigned char* const here = m->scratchpad + (uint64_t)f[2] * 16u + (uint64_t)r * pitch;
        const uint64_t there = f[1] + (uint64_t)r * f[5];
        for (uint32_t i = 0; i < f[4]; ++i) {
            if (is_load)
                here[i] = memories[f[0]].read[there + i];
            else
                memories[f[0]].write[there + i] = here[i];
        }
    }
}

static inline void accel_multiply(const struct accel_machine* machine, const uint32_t* f) {
    const uint32_t m = f[3], k = f[4], n = f[5], type = f[7], element = type == 2 ? 4u : 1u;
    const uint32_t x_pitch = accel_lines(k * element) * 16u, w_pitch = accel_lines(n * element) * 16u, y_pitch = accel_lines(n * 4u) * 16u;
    const unsigned char* const x = machine->scratchpad + f[0] * 16u;
    const unsigned char* const w = machine->scratchpad + f[1] * 16u;
    unsigned char* const y = machine->sums + f[2] * 16u;
    for (uint32_t r = 0; r < m; ++r)
        for (uint32_t c = 0; c < n; ++c) {
            unsigned char* const to = y + r * y_pitch + 4u * c;
            if (type == 2) {
                float sum = f[6] != 0 ? accel_float(to) : 0.0f;
                for (uint32_t q = 0; q < k; ++q) sum += accel_float(x + r * x_pitch + 4u * q) * accel_float(w + q * w_pitch + 4u * c);
                accel_put_float(to, sum);
            } else {
                uint32_t sum = f[6] != 0 ? accel_word(to) : 0u;
                for (uint32_t q = 0; q < k; ++q) {
                    const unsigned char b = x[r * x_pitch + q];
                    const int32_t a = type == 0 ? (int8_t)b : (int32_t)b;
                    sum += (uint32_t)(a * (int8_t)w[q * w_pitch + c]);
                }
                accel_put_word(to, sum);
            }
        }
}

static inline void accel_finish(const struct accel_machine* machine, const uint32_t* f) {
    const uint32_t m = f[3], n = f[4], type = f[5], element = type == 2 ? 4u : 1u;
    const uint32_t y_pitch = accel_lines(n * 4u) * 16u, to_pitch = accel_lines(n * element) * 16u;
    const unsigned char* const biases = machine->scratchpad + f[1] * 16u;
    const unsigned char* const scales = biases + y_pitch;
    const unsigned char* const range = scales + y_pitch;
    for (uint32_t r = 0; r < m; ++r)
        for (uint32_t c = 0; c < n; ++c) {
            const unsigned char* const from = machine->sums + f[0] * 16u + r * y_pitch + 4u * c;
            unsigned char* const to = machine->scratchpad + f[2] * 16u + r * to_pitch + element * c;
            const float scale = accel_float(scales + 4u * c);
            if (type == 2) {
                const float low = accel_float(range + 4), high = accel_float(range + 8);
                const float v = (accel_float(from) + accel_float(biases + 4u * c)) * scale, cut = v < low ? low : v;
                accel_put_float(to, high < cut ? high : cut);
            } else {
                const uint32_t wide = accel_word(from) + accel_word(biases + 4u * c);
                const float sum = wide > 0x7fffffffu ? -(float)(0u - wide) : (float)wide;
                const int32_t zero = (int32_t)accel_word(range), low = (int32_t)accel_word(range + 4), high = (int32_t)accel_word(range + 8);
                const float moved = accel_round(sum * scale) + (float)zero;
                const int32_t v = moved <= (float)low ? low : moved >= (float)high ? high : moved == moved ? (int32_t)moved : 0;
                *to = (unsigned char)v;
            }
        }
}

/* Runs a program of `count` instructions of four words each. */
static inline void accel_run(const uint32_t* program, uint32_t count, const struct accel_memory* memories, const struct accel_machine* machine) {
    static const unsigned char bits[5][8] = {
        {3, 32, 16, 14, 16, 24, 0, 0}, {16, 16, 8, 0, 0, 0, 0, 0}, {16, 16, 16, 14, 14, 14, 1, 2}, {16, 16, 16, 14, 14, 2, 0, 0}, {3, 32, 16, 14, 16, 24, 0, 0}};
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t fields[8];
        unsigned at = 0;
        const uint32_t op = accel_bits(program + 4u * i, &at, 4);
        if (op > 4) return;
        at += 8;
        for (unsigned f = 0; f < 8; ++f) fields[f] = accel_bits(program + 4u * i, &at, bits[op][f]);
        if (op == 0 || op == 4)
            accel_transfer(machine, memories, fields, op == 0);
        else if (op == 1)
            for (uint32_t b = 0; b < fields[1] * 16u; ++b) machine->scratchpad[fields[0] * 16u + b] = (unsigned char)fields[2];
        else if (op == 2)
            accel_multiply(machine, fields);
        else
            accel_finish(machine, fields);
    }
}

#endif
)";

/// A layer's program as a part of a program in C: the instructions and what they load are constants, the machine's memories its workspace.
template <class Layer>
[[nodiscard]] outcome<c_part> c_part_of(const Layer& made, const std::vector<std::uint32_t>& words, std::string name, element_type in,
                                        element_type out) {
    c_part part;
    part.name = std::move(name);
    part.headers = {{"accel_runtime.h", std::string(c_runtime)}};
    part.needs = {"#include \"accel_runtime.h\"\n\n"};
    tensor packed(element_type::uint8, {static_cast<std::int64_t>(made.packed.size())});
    if (!packed.ok()) return error{"there is no memory for the weights of a layer"};
    std::memcpy(packed.data(), made.packed.data(), made.packed.size());
    part.constants = {std::move(packed), tensor::of<std::uint32_t>({static_cast<std::int64_t>(words.size())}, words)};
    const auto scratchpad = static_cast<std::size_t>(made.of.scratchpad_bytes);
    part.workspace_bytes = scratchpad + static_cast<std::size_t>(made.of.accumulator_bytes);
    part.text = "static void " + part.name + "(const " + std::string(stored_c_type(in)) +
                "* restrict x, const uint8_t* restrict packed, const uint32_t* restrict program, " + std::string(stored_c_type(out)) +
                "* restrict y, unsigned char* workspace) {\n"
                "    struct accel_memory memories[3];\n    struct accel_machine machine;\n"
                "    memories[0].read = (const unsigned char*)x;\n    memories[0].write = 0;\n"
                "    memories[1].read = packed;\n    memories[1].write = 0;\n"
                "    memories[2].read = 0;\n    memories[2].write = (unsigned char*)y;\n"
                "    machine.scratchpad = workspace;\n    machine.sums = workspace + " +
                std::to_string(scratchpad) +
                ";\n"
                "    accel_run(program, " +
                std::to_string(words.size() / 4) + ", memories, &machine);\n}\n";
    return part;
}

}  // namespace inlay::accel_parts

#endif
