// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#if defined(INLAY_SIMD_TABLE) == defined(HWY_TARGET_TOGGLE)
#ifdef INLAY_SIMD_TABLE
#undef INLAY_SIMD_TABLE
#else
#define INLAY_SIMD_TABLE
#endif

#include <inlay/backend/cpu_simd/target/depthwise.ipp>
#include <inlay/backend/cpu_simd/target/rows.ipp>
#include <inlay/backend/cpu_simd/target/tile.ipp>
#include <inlay/backend/cpu_simd/target/winograd.ipp>

HWY_BEFORE_NAMESPACE();
namespace inlay::simd::HWY_NAMESPACE {

template <std::size_t... I>
HWY_INLINE void peak_step(vector* HWY_RESTRICT sums, vector x, vector y, pack<I...>) {
    ((sums[I] = hn::MulAdd(sums[I], x, y)), ...);
}

/// As many chains of multiply-adds as hide their latency, in registers: what no kernel goes beyond.
inline double peak(std::size_t rounds) {
    constexpr std::size_t chains = has_many_registers ? 24 : 12;
    vector sums[chains];
    for (vector& s : sums) s = of(1.0f);
    const vector x = of(0.999f), y = of(0.001f);
    for (std::size_t r = 0; r < rounds; ++r) peak_step(sums, x, y, std::make_index_sequence<chains>());
    vector all = sums[0];
    for (std::size_t i = 1; i < chains; ++i) all = hn::Add(all, sums[i]);
    // The sums must seem to be used.
    return hn::GetLane(all) < 0 ? 0 : 2.0 * static_cast<double>(chains * lanes) * static_cast<double>(rounds);
}

[[nodiscard]] inline kernel_table make_table() {
    kernel_table t;
    t.set = own_set;
    t.lanes = lanes;
    list_tiles<1>(t, std::make_index_sequence<most_rows<1>>());
    list_tiles<2>(t, std::make_index_sequence<most_rows<2>>());
    list_tiles<3>(t, std::make_index_sequence<most_rows<3>>());
    list_tiles<4>(t, std::make_index_sequence<most_rows<4>>());
    t.depthwise = depthwise;
    t.pool = pool;
    t.winograd_in = winograd_in;
    t.winograd_out = winograd_out;
    t.chain = chain;
    t.softmax = softmax;
    t.normalise = normalise;
    t.peak = peak;
    return t;
}

inline const kernel_table* table() {
    static const kernel_table t = make_table();
    return &t;
}

}  // namespace inlay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
