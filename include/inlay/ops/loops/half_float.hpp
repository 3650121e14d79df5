// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_HALF_FLOAT_HPP
#define INLAY_OPS_LOOPS_HALF_FLOAT_HPP

#include <bit>
#include <cstdint>

namespace inlay {

/// Sixteen bits as a floating number: sign, `ExponentBits`, and the rest fraction, as IEEE 754 lays them out.
template <int ExponentBits>
struct half_float {
    static constexpr int fraction_bits = 15 - ExponentBits;
    static constexpr int bias = (1 << (ExponentBits - 1)) - 1;

    std::uint16_t bits = 0;

    /// Exact.
    [[nodiscard]] constexpr double widened() const {
        const std::uint64_t sign = static_cast<std::uint64_t>(bits >> 15) << 63;
        const auto exponent = static_cast<int>((bits >> fraction_bits) & ((1u << ExponentBits) - 1u));
        const std::uint64_t fraction = bits & ((1u << fraction_bits) - 1u);
        constexpr int all_ones = (1 << ExponentBits) - 1;
        if (exponent == 0) {
            const double unit = std::bit_cast<double>(static_cast<std::uint64_t>(1023 + 1 - bias - fraction_bits) << 52);
            const double magnitude = static_cast<double>(fraction) * unit;
            return sign != 0 ? -magnitude : magnitude;
        }
        const std::uint64_t wide_exponent = exponent == all_ones ? 0x7FFu : static_cast<std::uint64_t>(exponent - bias + 1023);
        return std::bit_cast<double>(sign | (wide_exponent << 52) | (fraction << (52 - fraction_bits)));
    }

    /// The nearest, halves to even; beyond the range, infinity.
    [[nodiscard]] static constexpr half_float narrowed(double value) {
        const auto from = std::bit_cast<std::uint64_t>(value);
        const auto sign = static_cast<std::uint16_t>((from >> 48) & 0x8000u);
        const std::uint64_t fraction = from & ((std::uint64_t{1} << 52) - 1);
        const auto field = static_cast<int>((from >> 52) & 0x7FFu);
        constexpr auto infinity = static_cast<std::uint16_t>(((1u << ExponentBits) - 1u) << fraction_bits);
        if (field == 0x7FF) {
            const auto quiet = static_cast<std::uint16_t>(fraction == 0 ? 0u : 1u << (fraction_bits - 1));
            return {static_cast<std::uint16_t>(sign | infinity | quiet)};
        }
        const int exponent = field - 1023;
        const bool normal = exponent >= 1 - bias;
        const int shift = 52 - fraction_bits + (normal ? 0 : 1 - bias - exponent);
        if (field == 0 || shift > 54) return {sign};
        const std::uint64_t whole = fraction | (std::uint64_t{1} << 52);
        std::uint64_t kept = whole >> shift;
        const std::uint64_t rest = whole & ((std::uint64_t{1} << shift) - 1), middle = std::uint64_t{1} << (shift - 1);
        if (rest > middle || (rest == middle && (kept & 1u) != 0)) ++kept;
        if (normal) {
            if (exponent > bias) return {static_cast<std::uint16_t>(sign | infinity)};
            // The leading one of `kept` adds one to the exponent; a carry out of the fraction adds another, up to infinity.
            kept += static_cast<std::uint64_t>(exponent + bias - 1) << fraction_bits;
        }
        return {static_cast<std::uint16_t>(sign | kept)};
    }
};

using float16_bits = half_float<5>;
using bfloat16_bits = half_float<8>;

}  // namespace inlay

#endif
