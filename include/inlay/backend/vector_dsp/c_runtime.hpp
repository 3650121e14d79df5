// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_VECTOR_DSP_C_RUNTIME_HPP
#define INLAY_BACKEND_VECTOR_DSP_C_RUNTIME_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/codegen/c/c_array.hpp>
#include <inlay/codegen/c/c_part.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay::dsp_parts {

/// What programs that leave call: the processor as its vendor would ship it, here as functions of C99 that do what the instructions say. On
/// hardware the same function hands the program over. It needs no library.
inline constexpr std::string_view c_runtime = R"(#ifndef VECTOR_DSP_RUNTIME_H
#define VECTOR_DSP_RUNTIME_H

#include <stdint.h>
#include <string.h>

/* A memory that instructions name by its number. What is read may not be written. */
struct vector_dsp_memory {
    const unsigned char* read;
    unsigned char* write;
};

static inline float vector_dsp_float(const unsigned char* from) {
    float v;
    memcpy(&v, from, 4);
    return v;
}
static inline int32_t vector_dsp_word(const unsigned char* from) {
    int32_t v;
    memcpy(&v, from, 4);
    return v;
}
static inline int32_t vector_dsp_byte(unsigned char b, uint32_t type) { return type == 0 && b > 127 ? (int32_t)b - 256 : (int32_t)b; }

/* Half to even: beyond 2 to the 23 floats have no fraction. */
static inline float vector_dsp_round(float v) {
    const float far = 8388608.0f;
    volatile float moved;
    if (!(v < far && v > -far)) return v;
    moved = v >= 0 ? v + far : v - far;
    return v >= 0 ? moved - far : moved + far;
}
static inline unsigned char vector_dsp_steps(float steps, int32_t zero, float low, float high) {
    const float moved = vector_dsp_round(steps) + (float)zero;
    const float cut = moved <= low ? low : moved >= high ? high : moved == moved ? moved : 0.0f;
    return (unsigned char)(int32_t)cut;
}

static inline void vector_dsp_transfer(unsigned char* local, const struct vector_dsp_memory* memories, const uint32_t* f, int is_load) {
    for (uint32_t r = 0; r < f[3]; ++r) {
        unsigned char* const here = local + f[2] + r * f[4];
        if (is_load)
            memcpy(here, memories[f[0]].read + f[1] + (size_t)r * f[5], f[4]);
        else
            memcpy(memories[f[0]].write + f[1] + (size_t)r * f[5], here, f[4]);
    }
}

static inline void vector_dsp_mac(unsigned char* local, const uint32_t* f) {
    const uint32_t element = f[7] == 2 ? 4u : 1u;
    const int32_t zero = vector_dsp_byte((unsigned char)f[6], f[7]);
    for (uint32_t p = 0; p < f[3]; ++p)
        for (uint32_t c = 0; c < f[4]; ++c) {
            const unsigned char* const x = local + f[0] + (p * f[5] + c) * element;
            const unsigned char* const w = local + f[1] + c * element;
            unsigned char* const sum = local + f[2] + 4u * (p * f[4] + c);
            if (f[7] == 2) {
                const float v = vector_dsp_float(sum) + vector_dsp_float(x) * vector_dsp_float(w);
                memcpy(sum, &v, 4);
            } else {
                uint32_t v;
                memcpy(&v, sum, 4);
                v += (uint32_t)((vector_dsp_byte(*x, f[7]) - zero) * vector_dsp_byte(*w, 0));
                memcpy(sum, &v, 4);
            }
        }
}

static inline void vector_dsp_max(unsigned char* local, const uint32_t* f) {
    const uint32_t element = f[5] == 2 ? 4u : 1u;
    for (uint32_t p = 0; p < f[2]; ++p)
        for (uint32_t c = 0; c < f[3]; ++c) {
            const unsigned char* const x = local + f[0] + (p * f[4] + c) * element;
            unsigned char* const y = local + f[1] + (p * f[3] + c) * element;
            if (f[5] == 2) {
                const float now = vector_dsp_float(y), next = vector_dsp_float(x);
                if (now == now && !(next <= now)) memcpy(y, &next, 4);
            } else if (vector_dsp_byte(*x, f[5]) > vector_dsp_byte(*y, f[5])) {
                *y = *x;
            }
        }
}

static inline float vector_dsp_between(float v, float low, float high) {
    const float cut = v < low ? low : v;
    return high < cut ? high : cut;
}

static inline void vector_dsp_finish(unsigned char* local, const uint32_t* f) {
    const unsigned char* const scales = local + f[1];
    const unsigned char* const range = scales + 4u * f[4];
    for (uint32_t p = 0; p < f[3]; ++p)
        for (uint32_t c = 0; c < f[4]; ++c) {
            const uint32_t at = p * f[4] + c;
            const unsigned char* const sum = local + f[0] + 4u * at;
            if (f[5] == 2) {
                const float v = vector_dsp_between(vector_dsp_float(sum) * vector_dsp_float(scales + 4u * c), vector_dsp_float(range + 4), vector_dsp_float(range + 8));
                memcpy(local + f[2] + 4u * at, &v, 4);
            } else {
                local[f[2] + at] = vector_dsp_steps((float)vector_dsp_word(sum) * vector_dsp_float(scales + 4u * c), vector_dsp_word(range),
                                                    (float)vector_dsp_word(range + 4), (float)vector_dsp_word(range + 8));
            }
        }
}

static inline void vector_dsp_combine(unsigned char* local, const uint32_t* f) {
    const unsigned char* const n = local + f[3];
    const float low = f[6] == 0 ? -128.0f : 0.0f, high = f[6] == 0 ? 127.0f : 255.0f;
    for (uint32_t e = 0; e < f[4]; ++e) {
        float both[2], y;
        for (uint32_t i = 0; i < 2; ++i) {
            const unsigned char* const from = local + f[i];
            if (f[6] == 2)
                both[i] = vector_dsp_float(from + 4u * e);
            else
                both[i] = (float)(vector_dsp_byte(from[e], f[6]) - vector_dsp_word(n + 12 + 4u * i)) * vector_dsp_float(n + 4u * i);
        }
        y = f[5] == 0 ? both[0] + both[1] : f[5] == 1 ? both[0] - both[1] : f[5] == 2 ? both[0] * both[1] : both[0];
        y = vector_dsp_between(y, vector_dsp_float(n + 24), vector_dsp_float(n + 28));
        if (f[6] == 2)
            memcpy(local + f[2] + 4u * e, &y, 4);
        else
            local[f[2] + e] = vector_dsp_steps(y / vector_dsp_float(n + 8), vector_dsp_word(n + 20), low, high);
    }
}

/* Runs a program of `count` instructions of four words each in a local memory. */
static inline void vector_dsp_run(const uint32_t* program, uint32_t count, const struct vector_dsp_memory* memories, unsigned char* local) {
    static const unsigned char bits[8][8] = {
        {3, 32, 20, 14, 20, 24, 0, 0}, {20, 20, 32, 0, 0, 0, 0, 0}, {20, 20, 14, 14, 0, 0, 0, 0}, {20, 20, 20, 14, 14, 16, 8, 2}, {20, 20, 14, 14, 16, 2, 0, 0}, {20, 20, 20, 14, 14, 2, 0, 0}, {20, 20, 20, 20, 20, 2, 2, 0}, {3, 32, 20, 14, 20, 24, 0, 0}};
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t f[8];
        const uint32_t* const word = program + 4u * i;
        const uint32_t op = word[0] & 15u;
        unsigned at = 12;
        if (op > 7) return;
        for (unsigned k = 0; k < 8; ++k) {
            f[k] = 0;
            for (unsigned b = 0; b < bits[op][k]; ++b, ++at) f[k] |= (word[at / 32] >> (at % 32) & 1u) << b;
        }
        if (op == 0 || op == 7)
            vector_dsp_transfer(local, memories, f, op == 0);
        else if (op == 1)
            for (uint32_t b = 0; b < f[1]; ++b) local[f[0] + b] = (unsigned char)(f[2] >> 8 * (b % 4));
        else if (op == 2)
            for (uint32_t p = 0; p < f[2]; ++p) memcpy(local + f[1] + 4u * p * f[3], local + f[0], 4u * f[3]);
        else if (op == 3)
            vector_dsp_mac(local, f);
        else if (op == 4)
            vector_dsp_max(local, f);
        else if (op == 5)
            vector_dsp_finish(local, f);
        else
            vector_dsp_combine(local, f);
    }
}

#endif
)";

/// A layer's program as a part of a program in C: the instructions and what they load are constants, the local memory its workspace.
/// `operands` are the C types of the region's inputs, `first` and `second` the numbers of those that the layer reads.
[[nodiscard]] inline outcome<c_part> c_part_of(const std::vector<std::uint32_t>& words, const std::vector<std::byte>& packed,
                                               std::size_t workspace_bytes, std::string name, const std::vector<element_type>& operands,
                                               std::size_t first, std::size_t second, element_type out) {
    c_part part;
    part.name = std::move(name);
    part.headers = {{"vector_dsp_runtime.h", std::string(c_runtime)}};
    part.needs = {"#include \"vector_dsp_runtime.h\"\n\n"};
    // A constant without elements is no array of C: there is a byte that nothing reads.
    tensor numbers(element_type::uint8, {static_cast<std::int64_t>(packed.size() + (packed.empty() ? 1 : 0))});
    if (!numbers.ok()) return error{"there is no memory for the weights of a layer"};
    if (packed.empty())
        numbers.as<std::uint8_t>()[0] = 0;
    else
        std::memcpy(numbers.data(), packed.data(), packed.size());
    part.constants = {std::move(numbers), tensor::of<std::uint32_t>({static_cast<std::int64_t>(words.size())}, words)};
    part.workspace_bytes = workspace_bytes;
    part.text = "static void " + part.name + "(";
    for (std::size_t i = 0; i < operands.size(); ++i)
        part.text += "const " + std::string(stored_c_type(operands[i])) + "* restrict x" + std::to_string(i) + ", ";
    const auto read = [&](std::size_t memory, const std::string& from) {
        part.text +=
            "    memories[" + std::to_string(memory) + "].read = " + from + ";\n    memories[" + std::to_string(memory) + "].write = 0;\n";
    };
    part.text += "const uint8_t* restrict packed, const uint32_t* restrict program, " + std::string(stored_c_type(out)) +
                 "* restrict y, unsigned char* workspace) {\n    struct vector_dsp_memory memories[4];\n";
    read(0, "(const unsigned char*)x" + std::to_string(first));
    read(1, "packed");
    part.text += "    memories[2].read = 0;\n    memories[2].write = (unsigned char*)y;\n";
    read(3, "(const unsigned char*)x" + std::to_string(second));
    part.text += "    vector_dsp_run(program, " + std::to_string(words.size() / 4) + ", memories, workspace);\n}\n";
    return part;
}

}  // namespace inlay::dsp_parts

#endif
