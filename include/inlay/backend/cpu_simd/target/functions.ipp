// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#if defined(INLAY_SIMD_FUNCTIONS) == defined(HWY_TARGET_TOGGLE)
#ifdef INLAY_SIMD_FUNCTIONS
#undef INLAY_SIMD_FUNCTIONS
#else
#define INLAY_SIMD_FUNCTIONS
#endif

#include <inlay/backend/cpu_simd/target/vector.ipp>

HWY_BEFORE_NAMESPACE();
namespace inlay::simd::HWY_NAMESPACE {

// The polynomials were fitted for this library, least largest relative error (Lawson's iteration over Chebyshev's points). Errors in units
// in the last place are held by tests/backend/cpu_simd/functions.cpp over all ranges that it names.

HWY_INLINE vector polynomial(vector, float last) { return of(last); }
/// The first coefficient stands alone, each further one is multiplied with one more x.
template <class... More>
HWY_INLINE vector polynomial(vector x, float first, More... more) {
    return hn::MulAdd(polynomial(x, more...), x, of(first));
}

/// 2^n for whole n from -126 to 127.
HWY_INLINE vector power_of_two(hn::Vec<hn::RebindToSigned<floats>> n) {
    const hn::RebindToSigned<floats> whole;
    return hn::BitCast(floats(), hn::ShiftLeft<23>(hn::Add(n, hn::Set(whole, 127))));
}

/// e^x within 1 unit in the last place; 0 and infinity beyond the range, results below the least normal number rounded a second time.
HWY_INLINE vector exponential(vector x) {
    const hn::RebindToSigned<floats> whole;
    const vector inside = smaller(of(89.0f), larger(of(-104.0f), x));
    const vector n = hn::Round(hn::Mul(inside, of(1.44269504088896340736f)));
    // ln 2 in two parts, the first with few bits, so that its product is exact.
    const vector r = hn::NegMulAdd(n, of(-2.12194440e-4f), hn::NegMulAdd(n, of(0.693359375f), inside));
    const vector p = polynomial(r, 1.0f, 1.0f, 0.49999991059303284f, 0.16666419804096222f, 0.04166822507977486f, 0.008374822326004505f,
                                0.001383683760650456f);
    // 2^n in two factors, since n may leave the range of exponents.
    const auto all = hn::ConvertTo(whole, n);
    const auto half = hn::ShiftRight<1>(all);
    return hn::Mul(hn::Mul(p, power_of_two(half)), power_of_two(hn::Sub(all, half)));
}

/// Natural logarithm within 2 units in the last place; no number below 0.
HWY_INLINE vector logarithm(vector x) {
    const hn::RebindToSigned<floats> whole;
    const auto is_small = hn::Lt(x, of(1.17549435e-38f));
    const vector scaled = hn::IfThenElse(is_small, hn::Mul(x, of(8388608.0f)), x);
    const auto bits = hn::BitCast(whole, scaled);
    // The exponent after which the significand lies between sqrt(1/2) and sqrt(2).
    const auto shifted = hn::Sub(bits, hn::Set(whole, 0x3f3504f3));
    const auto exponent = hn::ShiftRight<23>(shifted);
    const vector m = hn::BitCast(floats(), hn::Sub(bits, hn::ShiftLeft<23>(exponent)));
    const vector e = hn::Add(hn::ConvertTo(floats(), exponent), hn::IfThenElse(is_small, of(-23.0f), of(0.0f)));
    const vector t = hn::Sub(m, of(1.0f));
    const vector p =
        polynomial(t, -0.49999988079071045f, 0.33333325386047363f, -0.25001588463783264f, 0.20001980662345886f, -0.16608937084674835f,
                   0.14181533455848694f, -0.13243833184242249f, 0.12906885147094727f, -0.07622972875833511f);
    const vector low = hn::MulAdd(hn::Mul(t, t), p, hn::Mul(e, of(-2.12194440e-4f)));
    const vector inside = hn::MulAdd(e, of(0.693359375f), hn::Add(t, low));
    const vector infinity = hn::Inf(floats());
    const vector at_edges = hn::IfThenElse(hn::Eq(x, of(0.0f)), hn::Neg(infinity), hn::IfThenElse(hn::Eq(x, infinity), infinity, inside));
    return hn::IfThenElse(hn::Lt(x, of(0.0f)), hn::NaN(floats()), hn::IfThenElse(hn::IsNaN(x), x, at_edges));
}

/// The error function within 3 units in the last place.
HWY_INLINE vector error_function(vector x) {
    const vector size = hn::Abs(x), square = hn::Mul(x, x);
    const vector near =
        hn::Mul(x, polynomial(square, 1.128379225730896f, -0.37612631916999817f, 0.11283663660287857f, -0.026857705786824226f,
                              0.005196952261030674f, -0.0008097703685052693f, 8.185093611245975e-05f));
    // 1 - e^(-p), where p is fitted to -ln(1 - erf) up to 4; from there on the result is 1.
    const vector t = smaller(of(4.0f), size);
    const vector p = polynomial(t, 0.00024472971563227475f, 1.1274749040603638f, 0.6375171542167664f, 0.10364021360874176f,
                                -0.0220875833183527f, 0.0030085218604654074f, -0.0001924243988469243f);
    const vector far = hn::CopySign(hn::Sub(of(1.0f), exponential(hn::Neg(p))), x);
    return hn::IfThenElse(hn::Lt(size, of(0.95f)), near, hn::IfThenElse(hn::IsNaN(x), x, far));
}

/// The hyperbolic tangent within 3 units in the last place.
HWY_INLINE vector hyperbolic_tangent(vector x) {
    const vector size = hn::Abs(x), square = hn::Mul(x, x);
    const vector near = hn::Mul(x, polynomial(square, 1.0f, -0.3333324193954468f, 0.13330720365047455f, -0.05368862673640251f,
                                              0.020487088710069656f, -0.005544865969568491f));
    const vector e = exponential(hn::Mul(of(2.0f), size));
    const vector far = hn::CopySign(hn::Sub(of(1.0f), hn::Div(of(2.0f), hn::Add(e, of(1.0f)))), x);
    return hn::IfThenElse(hn::Lt(size, of(0.625f)), near, hn::IfThenElse(hn::IsNaN(x), x, far));
}

/// 1 / (1 + e^-x) within 3 units in the last place.
HWY_INLINE vector sigmoid(vector x) { return hn::Div(of(1.0f), hn::Add(of(1.0f), exponential(hn::Neg(x)))); }

/// ln(1 + e^x) = max(x, 0) + ln(1 + e^-|x|).
HWY_INLINE vector softplus(vector x) {
    const vector e = exponential(hn::Neg(hn::Abs(x)));
    // What 1 + e loses of e to rounding is put back.
    const vector sum = hn::Add(of(1.0f), e);
    const vector rest = hn::Add(logarithm(sum), hn::Div(hn::Sub(e, hn::Sub(sum, of(1.0f))), sum));
    return hn::IfThenElse(hn::IsNaN(x), x, hn::Add(larger(of(0.0f), x), rest));
}

/// A function of one number, as a type.
template <step::form Form>
HWY_INLINE vector function(vector x, vector alpha, vector beta) {
    using form = step::form;
    if constexpr (Form == form::linear) return hn::MulAdd(x, alpha, beta);
    if constexpr (Form == form::relu) return hn::IfThenElse(hn::Lt(x, of(0.0f)), hn::Mul(alpha, x), x);
    if constexpr (Form == form::clip) return smaller(beta, larger(alpha, x));
    if constexpr (Form == form::reciprocal) return hn::Div(alpha, x);
    if constexpr (Form == form::hard_swish) return hn::Mul(x, smaller(of(1.0f), larger(of(0.0f), hn::MulAdd(x, alpha, beta))));
    if constexpr (Form == form::elu) {
        // e^x - 1 by its series near 0, where the difference would cancel.
        const vector series = hn::Mul(x, polynomial(x, 1.0f, 0.5f, 0.16666667f, 0.041666667f, 0.0083333333f, 0.0013888889f));
        const vector below = hn::IfThenElse(hn::Lt(of(-0.3f), x), series, hn::Sub(exponential(x), of(1.0f)));
        return hn::IfThenElse(hn::Lt(x, of(0.0f)), hn::Mul(alpha, below), x);
    }
    if constexpr (Form == form::sigmoid) return sigmoid(x);
    if constexpr (Form == form::swish) return hn::Div(x, hn::Add(of(1.0f), exponential(hn::Neg(x))));
    if constexpr (Form == form::tanh) return hyperbolic_tangent(x);
    if constexpr (Form == form::gelu)
        return hn::Mul(hn::Mul(of(0.5f), x), hn::Add(of(1.0f), error_function(hn::Mul(x, of(0.70710678118654752f)))));
    if constexpr (Form == form::gelu_tanh) {
        const vector inner = hn::Mul(of(0.79788456080286536f), hn::MulAdd(hn::Mul(of(0.044715f), x), hn::Mul(x, x), x));
        return hn::Mul(hn::Mul(of(0.5f), x), hn::Add(of(1.0f), hyperbolic_tangent(inner)));
    }
    if constexpr (Form == form::softplus) return softplus(x);
    if constexpr (Form == form::mish) return hn::Mul(x, hyperbolic_tangent(softplus(x)));
    if constexpr (Form == form::abs) return hn::Abs(x);
    if constexpr (Form == form::square) return hn::Mul(x, x);
    if constexpr (Form == form::sqrt) return hn::Sqrt(x);
    if constexpr (Form == form::exp) return exponential(x);
    if constexpr (Form == form::log) return logarithm(x);
    if constexpr (Form == form::erf) return error_function(x);
}

/// An operation of two numbers, as a type.
template <step::form Form>
HWY_INLINE vector operation(vector x, vector y) {
    using form = step::form;
    if constexpr (Form == form::add) return hn::Add(x, y);
    if constexpr (Form == form::multiply) return hn::Mul(x, y);
    if constexpr (Form == form::maximum) return either_nan(x, y, hn::Max(x, y));
    if constexpr (Form == form::minimum) return either_nan(x, y, hn::Min(x, y));
    if constexpr (Form == form::subtract) return hn::Sub(x, y);
    if constexpr (Form == form::divide) return hn::Div(x, y);
}

}  // namespace inlay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
