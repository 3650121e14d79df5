// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0

// Read once for each instruction set, as all files of this folder: Highway sets HWY_TARGET before, and HWY_NAMESPACE names it.
#if defined(INLAY_SIMD_VECTOR) == defined(HWY_TARGET_TOGGLE)
#ifdef INLAY_SIMD_VECTOR
#undef INLAY_SIMD_VECTOR
#else
#define INLAY_SIMD_VECTOR
#endif

#include <cstddef>
#include <cstring>

#include <hwy/highway.h>

#include <inlay/backend/cpu_simd/kernel_table.hpp>

HWY_BEFORE_NAMESPACE();
namespace inlay::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using floats = hn::ScalableTag<float>;
using vector = hn::Vec<floats>;
inline constexpr std::size_t lanes = hn::MaxLanes(floats());
inline constexpr bool has_many_registers = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON;
inline constexpr instruction_set own_set = HWY_TARGET == HWY_AVX3   ? instruction_set::avx512
                                           : HWY_TARGET == HWY_AVX2 ? instruction_set::avx2
                                           : HWY_TARGET == HWY_SSE4 ? instruction_set::sse4
                                           : HWY_TARGET == HWY_NEON ? instruction_set::neon
                                                                    : instruction_set::scalar;

HWY_INLINE vector of(float x) { return hn::Set(floats(), x); }
HWY_INLINE vector load(const float* p) { return hn::LoadU(floats(), p); }
HWY_INLINE void store(vector x, float* p) { hn::StoreU(x, floats(), p); }

/// The first n numbers from p; zeros behind them. Nothing behind them is read.
HWY_INLINE vector load_some(const float* p, std::size_t n) {
    if (n >= lanes) return load(p);
    alignas(64) float part[lanes] = {};
    std::memcpy(part, p, n * sizeof(float));
    return hn::Load(floats(), part);
}
/// The first n lanes to p. Nothing behind them is written.
HWY_INLINE void store_some(vector x, float* p, std::size_t n) {
    if (n >= lanes) return store(x, p);
    alignas(64) float part[lanes];
    hn::Store(x, floats(), part);
    std::memcpy(p, part, n * sizeof(float));
}
/// The first n lanes, and zeros.
HWY_INLINE vector first_lanes(vector x, std::size_t n) { return n >= lanes ? x : hn::IfThenElseZero(hn::FirstN(floats(), n), x); }

// `larger(bound, x)` and `smaller(bound, x)` give x where it is no number, as the operators' definitions do.
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
HWY_INLINE vector larger(vector bound, vector x) { return hn::IfThenElse(hn::Lt(x, bound), bound, x); }
HWY_INLINE vector smaller(vector bound, vector x) { return hn::IfThenElse(hn::Lt(bound, x), bound, x); }
#else
// x86 gives the second operand where one is no number, NEON what is no number.
HWY_INLINE vector larger(vector bound, vector x) { return hn::Max(bound, x); }
HWY_INLINE vector smaller(vector bound, vector x) { return hn::Min(bound, x); }
#endif

HWY_INLINE vector either_nan(vector x, vector y, vector otherwise) {
    return hn::IfThenElse(hn::IsNaN(x), x, hn::IfThenElse(hn::IsNaN(y), y, otherwise));
}

}  // namespace inlay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
