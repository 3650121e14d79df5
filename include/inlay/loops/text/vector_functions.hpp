// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_VECTOR_FUNCTIONS_HPP
#define INLAY_LOOPS_TEXT_VECTOR_FUNCTIONS_HPP

#include <string_view>

#include <inlay/loops/nest/scalar_function.hpp>

namespace inlay {

/// A function of one float32 in C without a branch or a call, so that compilers make vectors of loops over it.
struct vector_function {
    scalar_function function;
    std::string_view name;
    std::string_view needs;  // another one that it calls, which calls none, by name; empty: none
    std::string_view text;
};

/// Those there are, for texts that include math.h and stdint.h, with the largest error in units in the last place where products and sums
/// are rounded one by one: exp 2, log 1, erf 3, tanh 2 (held by a test). Edges are those of the C library, but that results below the least
/// normal number may be rounded twice. The polynomials were fitted for this library, least largest relative error (Lawson's iteration over
/// Chebyshev's points); the argument of exp is reduced by ln 2 in two parts (Cody and Waite, Software Manual for the Elementary Functions,
/// 1980).
inline constexpr vector_function vector_functions[] = {
    {scalar_function::exponential, "inlay_vector_exp", "", R"(static inline float inlay_vector_exp(float x) {
    const float low = x < -104.0f ? -104.0f : x, inside = low > 89.0f ? 89.0f : low;
    const float n = (inside * 1.44269504088896340736f + 12582912.0f) - 12582912.0f;
    const float r = (inside - n * 0.693359375f) + n * 2.12194440e-4f;
    float p = 0.001383683760650456f;
    p = p * r + 0.008374822326004505f;
    p = p * r + 0.04166822507977486f;
    p = p * r + 0.16666419804096222f;
    p = p * r + 0.49999991059303284f;
    p = p * r * r + r + 1.0f;
    const int32_t all = (int32_t)(x == x ? n : 0.0f), half = all >> 1;
    union { uint32_t bits; float value; } one, other;
    one.bits = (uint32_t)(half + 127) << 23;
    other.bits = (uint32_t)(all - half + 127) << 23;
    return p * one.value * other.value;
}
)"},
    {scalar_function::logarithm, "inlay_vector_log", "", R"(static inline float inlay_vector_log(float x) {
    const float scaled = x < 1.17549435e-38f ? x * 8388608.0f : x, moved = x < 1.17549435e-38f ? -23.0f : 0.0f;
    union { uint32_t bits; float value; } whole, part;
    whole.value = scaled;
    const int32_t exponent = (int32_t)(whole.bits - 0x3f3504f3u) >> 23;
    part.bits = whole.bits - ((uint32_t)exponent << 23);
    const float e = (float)exponent + moved, t = part.value - 1.0f;
    float p = -0.07622972875833511f;
    p = p * t + 0.12906885147094727f;
    p = p * t + -0.13243833184242249f;
    p = p * t + 0.14181533455848694f;
    p = p * t + -0.16608937084674835f;
    p = p * t + 0.20001980662345886f;
    p = p * t + -0.25001588463783264f;
    p = p * t + 0.33333325386047363f;
    p = p * t + -0.49999988079071045f;
    const float inside = (e * -2.12194440e-4f + t * t * p + t) + e * 0.693359375f;
    const float at_edges = x == 0.0f ? -INFINITY : x < INFINITY ? inside : x;
    return x < 0.0f ? NAN : at_edges;
}
)"},
    {scalar_function::error_function, "inlay_vector_erf", "inlay_vector_exp", R"(static inline float inlay_vector_erf(float x) {
    const float size = fabsf(x), square = x * x;
    float near = 8.185093611245975e-05f;
    near = near * square + -0.0008097703685052693f;
    near = near * square + 0.005196952261030674f;
    near = near * square + -0.026857705786824226f;
    near = near * square + 0.11283663660287857f;
    near = near * square + -0.37612631916999817f;
    near = near * square + 1.128379225730896f;
    const float t = size > 4.0f ? 4.0f : size;
    float p = -0.0001924243988469243f;
    p = p * t + 0.0030085218604654074f;
    p = p * t + -0.0220875833183527f;
    p = p * t + 0.10364021360874176f;
    p = p * t + 0.6375171542167664f;
    p = p * t + 1.1274749040603638f;
    p = p * t + 0.00024472971563227475f;
    const float far = copysignf(1.0f - inlay_vector_exp(-p), x);
    return size < 0.95f ? x * near : far;
}
)"},
    {scalar_function::hyperbolic_tangent, "inlay_vector_tanh", "inlay_vector_exp", R"(static inline float inlay_vector_tanh(float x) {
    const float size = fabsf(x), square = x * x;
    float near = -0.005544865969568491f;
    near = near * square + 0.020487088710069656f;
    near = near * square + -0.05368862673640251f;
    near = near * square + 0.13330720365047455f;
    near = near * square + -0.3333324193954468f;
    near = near * square + 1.0f;
    const float far = copysignf(1.0f - 2.0f / (inlay_vector_exp(2.0f * size) + 1.0f), x);
    return size < 0.625f ? x * near : far;
}
)"}};

}  // namespace inlay

#endif
