// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#if defined(INLAY_SIMD_ROWS) == defined(HWY_TARGET_TOGGLE)
#ifdef INLAY_SIMD_ROWS
#undef INLAY_SIMD_ROWS
#else
#define INLAY_SIMD_ROWS
#endif

#include <inlay/backend/cpu_simd/target/functions.ipp>

HWY_BEFORE_NAMESPACE();
namespace inlay::simd::HWY_NAMESPACE {

/// e^(x - largest) / sum: three walks over a row that stays in the first or second cache.
inline void softmax(const row_job& j) {
    const floats d;
    const vector factor = of(j.factor);
    const std::size_t whole = j.count / lanes * lanes, rest = j.count - whole;
    vector most = hn::Neg(hn::Inf(d));
    for (std::size_t i = 0; i < whole; i += lanes) {
        const vector x = hn::Mul(load(j.x + i), factor);
        store(x, j.y + i);
        most = larger(most, x);
    }
    if (rest != 0) {
        const vector x = hn::Mul(load_some(j.x + whole, rest), factor);
        store_some(x, j.y + whole, rest);
        most = larger(most, hn::IfThenElse(hn::FirstN(d, rest), x, most));
    }
    const vector top = hn::MaxOfLanes(d, most);
    vector sum = hn::Zero(d);
    for (std::size_t i = 0; i < whole; i += lanes) {
        const vector e = exponential(hn::Sub(load(j.y + i), top));
        store(e, j.y + i);
        sum = hn::Add(sum, e);
    }
    if (rest != 0) {
        const vector e = first_lanes(exponential(hn::Sub(load_some(j.y + whole, rest), top)), rest);
        store_some(e, j.y + whole, rest);
        sum = hn::Add(sum, e);
    }
    const vector over = hn::Div(of(1.0f), hn::SumOfLanes(d, sum));
    for (std::size_t i = 0; i < whole; i += lanes) store(hn::Mul(load(j.y + i), over), j.y + i);
    if (rest != 0) store_some(hn::Mul(load_some(j.y + whole, rest), over), j.y + whole, rest);
}

/// (x - mean) / sqrt(variance + epsilon) * scale + shift; the variance from the differences, since the squares' sum would cancel.
inline void normalise(const row_job& j) {
    const floats d;
    const std::size_t whole = j.count / lanes * lanes, rest = j.count - whole;
    vector sum = hn::Zero(d);
    const auto at = [&](std::size_t i, std::size_t n) HWY_ATTR {
        const vector x = load_some(j.x + i, n);
        return j.add == nullptr ? x : hn::Add(x, load_some(j.add + i, n));
    };
    for (std::size_t i = 0; i < whole; i += lanes) sum = hn::Add(sum, at(i, lanes));
    if (rest != 0) sum = hn::Add(sum, at(whole, rest));
    const float count = static_cast<float>(j.count);
    const vector mean = hn::Div(hn::SumOfLanes(d, sum), of(count));
    vector squares = hn::Zero(d);
    for (std::size_t i = 0; i < whole; i += lanes) {
        const vector x = hn::Sub(at(i, lanes), mean);
        squares = hn::MulAdd(x, x, squares);
    }
    if (rest != 0) {
        const vector x = first_lanes(hn::Sub(at(whole, rest), mean), rest);
        squares = hn::MulAdd(x, x, squares);
    }
    const vector variance = hn::Div(hn::SumOfLanes(d, squares), of(count));
    const vector over = hn::Div(of(1.0f), hn::Sqrt(hn::Add(variance, of(j.epsilon))));
    for (std::size_t i = 0; i < j.count; i += lanes) {
        const std::size_t n = j.count - i < lanes ? j.count - i : lanes;
        vector x = hn::Mul(hn::Sub(at(i, n), mean), over);
        if (j.scale != nullptr) x = hn::Mul(x, load_some(j.scale + i, n));
        if (j.shift != nullptr) x = hn::Add(x, load_some(j.shift + i, n));
        store_some(x, j.y + i, n);
    }
}

}  // namespace inlay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
