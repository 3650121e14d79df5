// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_DETAIL_LANES_HPP
#define INLAY_BACKEND_REFERENCE_DETAIL_LANES_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <Eigen/Core>

namespace inlay::detail::on_eigen {

/// Sixteen floats side by side. Eigen unrolls expressions over them into vector instructions at every optimisation level, and every
/// expression is compiled once for all tensors.
using lanes = Eigen::Array<float, 16, 1>;
inline constexpr std::int64_t lane_count = 16;

[[nodiscard]] inline lanes load(const float* from) { return Eigen::Map<const lanes>(from); }
inline void store(float* to, const lanes& v) {
    Eigen::Map<lanes> place(to);
    place = v;
}

/// The first `n` of sixteen; the others get the fill.
[[nodiscard]] inline lanes load_part(const float* from, std::int64_t n, float fill = 0.0f) {
    lanes v = lanes::Constant(fill);
    std::memcpy(v.data(), from, static_cast<std::size_t>(n) * sizeof(float));
    return v;
}
inline void store_part(float* to, const lanes& v, std::int64_t n) {
    std::memcpy(to, v.data(), static_cast<std::size_t>(n) * sizeof(float));
}

/// `out[i] = f(x[i])` for n elements; `out` may be `x`.
template <class F>
inline void map_lanes(std::int64_t n, float* out, const float* x, F f) {
    std::int64_t i = 0;
    for (; i + lane_count <= n; i += lane_count) store(out + i, f(load(x + i)));
    if (i < n) store_part(out + i, f(load_part(x + i, n - i)), n - i);
}

/// `out[i] = f(x[i], y[i])`; `out` may be either.
template <class F>
inline void map_lanes(std::int64_t n, float* out, const float* x, const float* y, F f) {
    std::int64_t i = 0;
    for (; i + lane_count <= n; i += lane_count) store(out + i, f(load(x + i), load(y + i)));
    if (i < n) store_part(out + i, f(load_part(x + i, n - i, 1.0f), load_part(y + i, n - i, 1.0f)), n - i);
}

/// The larger and the smaller of two; a NaN stays one.
[[nodiscard]] inline lanes larger(const lanes& x, const lanes& y) {
    return x.binaryExpr(y, Eigen::internal::scalar_max_op<float, float, Eigen::PropagateNaN>());
}
[[nodiscard]] inline lanes smaller(const lanes& x, const lanes& y) {
    return x.binaryExpr(y, Eigen::internal::scalar_min_op<float, float, Eigen::PropagateNaN>());
}
[[nodiscard]] inline lanes larger(const lanes& x, float y) { return larger(x, lanes(lanes::Constant(y))); }
[[nodiscard]] inline lanes smaller(const lanes& x, float y) { return smaller(x, lanes(lanes::Constant(y))); }

[[nodiscard]] inline lanes sigmoid_of(const lanes& x) { return 1.0f / (1.0f + (-x).exp()); }

/// The error function: x P(x^2) / Q(x^2) on [-4, 4], beyond which it is 1 in single precision. The coefficients are a minimax fit of the
/// relative error; rounded to float the result is within 4e-7 of the value, relatively.
[[nodiscard]] inline lanes erf_of(const lanes& all) {
    const lanes x = larger(smaller(all, 4.0f), -4.0f);
    const lanes u = x * x;
    lanes p = u * 1.986799087e-06f + 2.845653380e-04f;
    p = p * u + 3.883291585e-03f;
    p = p * u + 5.310157944e-02f;
    p = p * u + 1.935437526e-01f;
    p = p * u + 1.128379139f;
    lanes q = u * 3.742032232e-05f + 1.185559741e-03f;
    q = q * u + 1.520714323e-02f;
    q = q * u + 1.153494654e-01f;
    q = q * u + 5.048562405e-01f;
    q = q * u + 1.0f;
    return larger(smaller(x * p / q, 1.0f), -1.0f);
}

}  // namespace inlay::detail::on_eigen

#endif
