// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_OPENBLAS_ROWWISE_HPP
#define INLAY_BACKEND_OPENBLAS_ROWWISE_HPP

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <inlay/backend/anchored_chain.hpp>
#include <inlay/backend/elementwise_function.hpp>

// What is done to each element of a row of numbers, in loops that compilers vectorise.

namespace inlay::detail {

/// e^x, to 2e-7 of it; what lies beyond float32's range is its largest or smallest normal number.
[[nodiscard]] inline float rowwise_exp(float x) {
    // e^x = 2^n e^r with r within half of log 2, where Taylor's series is short.
    constexpr float round_to_whole = 12582912;  // 1.5 * 2^23: the low bits of a sum with it are a whole number
    constexpr float log_high = 0.693359375f, log_low = -2.12194440e-4f;
    x = std::min(std::max(x, -87.0f), 88.0f);
    const float shifted = x * 1.44269504f + round_to_whole, n = shifted - round_to_whole;
    const float r = (x - n * log_high) - n * log_low;
    float series = 1.0f / 5040;
    for (const float coefficient : {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) series = series * r + coefficient;
    const auto power = std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(round_to_whole);
    return series * std::bit_cast<float>((power + 127) << 23);
}

/// To 3e-7.
[[nodiscard]] inline float rowwise_tanh(float x) { return 1 - 2 / (rowwise_exp(2 * x) + 1); }

/// To 5e-7, by formula 7.1.26 of Abramowitz and Stegun's handbook.
[[nodiscard]] inline float rowwise_erf(float x) {
    const float size = std::abs(x), t = 1 / (1 + 0.3275911f * size);
    const float series = ((((1.061405429f * t - 1.453152027f) * t + 1.421413741f) * t - 0.284496736f) * t + 0.254829592f) * t;
    return std::copysign(1 - series * rowwise_exp(-size * size), x);
}

/// log(1 + e^x)
[[nodiscard]] inline float rowwise_softplus(float x) { return std::max(x, 0.0f) + std::log1p(rowwise_exp(-std::abs(x))); }

template <class F>
void rowwise_each(float* row, std::size_t count, F&& f) {
    for (std::size_t i = 0; i < count; ++i) row[i] = f(row[i]);
}

/// Replaces each number of a row by the function of it.
inline void rowwise_apply(const elementwise_function& what, float* row, std::size_t count) {
    using form = elementwise_function::form;
    const auto alpha = static_cast<float>(what.alpha), beta = static_cast<float>(what.beta);
    const auto each = [&](auto f) { rowwise_each(row, count, f); };
    switch (what.kind) {
        case form::linear:
            return each([=](float x) { return alpha * x + beta; });
        case form::relu:
            return each([=](float x) { return x < 0 ? alpha * x : x; });
        case form::clip:
            return each([=](float x) { return std::min(std::max(x, alpha), beta); });
        case form::power:
            if (what.beta == -1) return each([=](float x) { return alpha / x; });
            return each([=](float x) { return alpha * std::pow(x, beta); });
        case form::hard_swish:
            return each([=](float x) { return x * std::min(std::max(alpha * x + beta, 0.0f), 1.0f); });
        case form::elu:
            return each([=](float x) { return x < 0 ? alpha * std::expm1(x) : x; });
        case form::sigmoid:
            return each([](float x) { return 1 / (1 + rowwise_exp(-x)); });
        case form::swish:
            // Far below 0 the exponential is cut off, and so is x.
            return each([](float x) { return std::max(x, -100.0f) / (1 + rowwise_exp(-x)); });
        case form::tanh:
            return each([](float x) { return rowwise_tanh(x); });
        case form::gelu:
            return each([](float x) { return 0.5f * x * (1 + rowwise_erf(x * 0.70710678f)); });
        case form::gelu_tanh:
            return each([](float x) { return 0.5f * x * (1 + rowwise_tanh(0.79788456f * (x + 0.044715f * x * x * x))); });
        case form::softplus:
            return each([](float x) { return rowwise_softplus(x); });
        case form::mish:
            return each([](float x) { return x * rowwise_tanh(rowwise_softplus(x)); });
        case form::abs:
            return each([](float x) { return std::abs(x); });
        case form::square:
            return each([](float x) { return x * x; });
        case form::sqrt:
            return each([](float x) { return std::sqrt(x); });
        case form::exp:
            return each([](float x) { return std::exp(x); });
        case form::log:
            return each([](float x) { return std::log(x); });
    }
}

/// Combines each number of a row with one of another row, or with one number where `step` is 0.
inline void rowwise_combine(chain_step::combination how, float* row, const float* other, std::size_t step, std::size_t count) {
    const auto each = [&](auto f) {
        if (step == 0) {
            const float number = *other;
            rowwise_each(row, count, [=](float x) { return f(x, number); });
        } else {
            for (std::size_t i = 0; i < count; ++i) row[i] = f(row[i], other[i * step]);
        }
    };
    switch (how) {
        case chain_step::combination::add:
            return each([](float a, float b) { return a + b; });
        case chain_step::combination::multiply:
            return each([](float a, float b) { return a * b; });
        case chain_step::combination::maximum:
            return each([](float a, float b) { return std::max(a, b); });
        case chain_step::combination::minimum:
            return each([](float a, float b) { return std::min(a, b); });
        case chain_step::combination::subtract:
            return each([](float a, float b) { return a - b; });
        case chain_step::combination::divide:
            return each([](float a, float b) { return a / b; });
    }
}

}  // namespace inlay::detail

#endif
