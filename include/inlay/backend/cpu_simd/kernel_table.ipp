// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_KERNEL_TABLE_IPP
#define INLAY_BACKEND_CPU_SIMD_KERNEL_TABLE_IPP

#include <inlay/backend/cpu_simd/kernel_table.hpp>

// All instruction sets of the processor's family, whatever the compiler was told to begin with; the scalar build is what it was told.
#define HWY_COMPILE_ALL_ATTAINABLE 1
#define HWY_WANT_SSE4 1
// Sums stand in arrays, which vectors of a length that only the processor knows cannot.
// Targets that `kernels_for` does not have are named by their bits, which do not change: not every release of Highway has names for them.
// NEON_BF16 is 0x4000000; AVX3_SPR, AVX3_ZEN4, AVX3_DL, SSSE3 and SSE2 are 0x50d0.
#if defined(__aarch64__) && !defined(HWY_DISABLED_TARGETS)
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | 0x4000000)
#elif defined(__x86_64__) && !defined(HWY_DISABLED_TARGETS)
#define HWY_DISABLED_TARGETS 0x50d0
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "inlay/backend/cpu_simd/target/table.inc"
#include <hwy/foreach_target.h>

#include <inlay/backend/cpu_simd/target/table.inc>

namespace inlay::simd {

INLAY_LAZY_DEFINITION
const kernel_table* kernels_for(instruction_set set) {
    switch (set) {
#if HWY_TARGETS & HWY_SSE4
        case instruction_set::sse4:
            return N_SSE4::table<>();
#endif
#if HWY_TARGETS & HWY_AVX2
        case instruction_set::avx2:
            return N_AVX2::table<>();
#endif
#if HWY_TARGETS & HWY_AVX3
        case instruction_set::avx512:
            return N_AVX3::table<>();
#endif
#if HWY_TARGETS & HWY_NEON
        case instruction_set::neon:
            return N_NEON::table<>();
#endif
#if HWY_TARGETS & HWY_EMU128
        case instruction_set::scalar:
            return N_EMU128::table<>();
#elif HWY_TARGETS & HWY_SCALAR
        case instruction_set::scalar:
            return N_SCALAR::table<>();
#endif
        default:
            return nullptr;
    }
}

}  // namespace inlay::simd

#endif
