// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_INSTRUCTION_SET_HPP
#define INLAY_BACKEND_CPU_SIMD_INSTRUCTION_SET_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace inlay {

/// For which vector instructions a kernel is compiled, narrowest first. `scalar` is the same code on one number at a time.
enum class instruction_set : std::uint8_t { scalar, sse4, neon, avx2, avx512 };

inline constexpr std::array<std::string_view, 5> instruction_set_names{"scalar", "sse4", "neon", "avx2", "avx512"};

[[nodiscard]] constexpr std::string_view name_of(instruction_set s) { return instruction_set_names[static_cast<std::size_t>(s)]; }

/// Whether the processor that runs this has the instructions: `avx2` stands for AVX2 with FMA, `avx512` for its parts F, CD, BW, DQ and VL.
[[nodiscard]] inline bool processor_has(instruction_set s) {
    switch (s) {
        case instruction_set::scalar:
            return true;
#if defined(__x86_64__)
        case instruction_set::sse4:
            return __builtin_cpu_supports("sse4.2") != 0;
        case instruction_set::avx2:
            return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 && __builtin_cpu_supports("bmi2") != 0;
        case instruction_set::avx512:
            return processor_has(instruction_set::avx2) && __builtin_cpu_supports("avx512f") != 0 &&
                   __builtin_cpu_supports("avx512cd") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                   __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
#endif
#if defined(__aarch64__)
        case instruction_set::neon:
            return true;
#endif
        default:
            return false;
    }
}

/// Whether the processor that runs this has, beside `avx512`, dot products of pairs of bfloat16 (AVX512_BF16).
[[nodiscard]] inline bool processor_has_bf16_pairs() {
#if defined(__x86_64__)
    return processor_has(instruction_set::avx512) && __builtin_cpu_supports("avx512bf16") != 0;
#else
    return false;
#endif
}

/// Whether the processor that runs this has, beside `avx2` or `avx512`, dot products of four bytes (AVX-VNNI, AVX512_VNNI).
[[nodiscard]] inline bool processor_has_byte_quads(instruction_set s) {
#if defined(__x86_64__)
    if (!processor_has(s)) return false;
    if (s == instruction_set::avx512) return __builtin_cpu_supports("avx512vnni") != 0;
    // Not every compiler knows a name for AVX-VNNI: bit 4 of EAX in leaf 7, subleaf 1.
    unsigned a = 0, b = 0, c = 0, d = 0;
    return s == instruction_set::avx2 && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & 1u << 4) != 0;
#else
    (void)s;
    return false;
#endif
}

}  // namespace inlay

#endif
