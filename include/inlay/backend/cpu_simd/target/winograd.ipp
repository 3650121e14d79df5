// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#if defined(INLAY_SIMD_WINOGRAD) == defined(HWY_TARGET_TOGGLE)
#ifdef INLAY_SIMD_WINOGRAD
#undef INLAY_SIMD_WINOGRAD
#else
#define INLAY_SIMD_WINOGRAD
#endif

#include <inlay/backend/cpu_simd/target/steps.ipp>

// F(4 x 4, 3 x 3) with the points 0, 1, -1, 2, -2 and infinity (Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2016).

HWY_BEFORE_NAMESPACE();
namespace inlay::simd::HWY_NAMESPACE {

/// Six numbers of the input, one dimension: `apart` floats lie between them.
HWY_INLINE void winograd_in_line(const vector* HWY_RESTRICT d, std::size_t apart, vector* HWY_RESTRICT out) {
    const vector d0 = d[0], d1 = d[apart], d2 = d[2 * apart], d3 = d[3 * apart], d4 = d[4 * apart], d5 = d[5 * apart];
    const vector even = hn::NegMulAdd(of(4.0f), d2, d4), odd = hn::NegMulAdd(of(4.0f), d1, d3);
    const vector even2 = hn::Sub(d4, d2), odd2 = hn::Mul(of(2.0f), hn::Sub(d3, d1));
    out[0] = hn::Add(hn::NegMulAdd(of(5.0f), d2, hn::Mul(of(4.0f), d0)), d4);
    out[1] = hn::Add(even, odd);
    out[2] = hn::Sub(even, odd);
    out[3] = hn::Add(even2, odd2);
    out[4] = hn::Sub(even2, odd2);
    out[5] = hn::Add(hn::NegMulAdd(of(5.0f), d3, hn::Mul(of(4.0f), d1)), d5);
}

inline void winograd_in(const winograd_in_job& j) {
    vector d[36], t[36];
    const bool inside = j.row_begin == 0 && j.row_end == 6 && j.place_begin == 0 && j.place_end == 6;
    for (std::size_t r = 0; r < 6; ++r)
        for (std::size_t p = 0; p < 6; ++p) {
            const bool there = inside || (r >= j.row_begin && r < j.row_end && p >= j.place_begin && p < j.place_end);
            const float* at = j.x + static_cast<std::ptrdiff_t>(r) * j.x_row + static_cast<std::ptrdiff_t>(p) * j.x_place;
            d[r * 6 + p] = there ? load(at) : hn::Zero(floats());
        }
    // Down the columns, then along the rows.
    for (std::size_t p = 0; p < 6; ++p) winograd_in_line(d + p, 6, t + p * 6);
    for (std::size_t r = 0; r < 6; ++r) {
        vector out[6];
        winograd_in_line(t + r, 6, out);
        for (std::size_t p = 0; p < 6; ++p) store(out[p], j.v + static_cast<std::ptrdiff_t>(r * 6 + p) * j.v_matrix);
    }
}

HWY_INLINE void winograd_out_line(const vector* HWY_RESTRICT m, std::size_t apart, vector* HWY_RESTRICT out) {
    const vector m0 = m[0], m1 = m[apart], m2 = m[2 * apart], m3 = m[3 * apart], m4 = m[4 * apart], m5 = m[5 * apart];
    const vector sum1 = hn::Add(m1, m2), difference1 = hn::Sub(m1, m2), sum2 = hn::Add(m3, m4), difference2 = hn::Sub(m3, m4);
    out[0] = hn::Add(m0, hn::Add(sum1, sum2));
    out[1] = hn::MulAdd(of(2.0f), difference2, difference1);
    out[2] = hn::MulAdd(of(4.0f), sum2, sum1);
    out[3] = hn::Add(hn::MulAdd(of(8.0f), difference2, difference1), m5);
}

inline void winograd_out(const winograd_out_job& j) {
    vector m[36], t[24];
    for (std::size_t k = 0; k < 36; ++k) m[k] = load(j.m + static_cast<std::ptrdiff_t>(k) * j.m_matrix);
    for (std::size_t p = 0; p < 6; ++p) winograd_out_line(m + p, 6, t + p * 4);
    const vector bias = load(j.bias), low = of(j.low), high = of(j.high);
    for (std::size_t r = 0; r < j.rows; ++r) {
        vector out[4];
        winograd_out_line(t + r, 4, out);
        for (std::size_t p = 0; p < j.places; ++p) {
            const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(r) * j.y_row + static_cast<std::ptrdiff_t>(p) * j.y_place;
            vector x = hn::Add(out[p], bias);
            if (j.add != nullptr) x = hn::Add(x, load_some(j.add + at, j.columns));
            x = smaller(high, larger(low, x));
            if (j.fills)
                store(first_lanes(x, j.columns), j.y + at);
            else
                store_some(x, j.y + at, j.columns);
        }
        if (j.step_count != 0) finish_places(j, j.y + static_cast<std::ptrdiff_t>(r) * j.y_row, j.y_place, j.places, j.columns, j.column);
    }
}

}  // namespace inlay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
