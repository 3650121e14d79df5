// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_FLOAT8_HPP
#define INLAY_OPS_LOOPS_FLOAT8_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <inlay/graph/element_type.hpp>

namespace inlay {

/// What an 8-bit float has beside numbers: infinities and NaN as IEEE 754 has them; NaN alone, in the largest magnitude (`fn`); or NaN
/// alone, in the place of -0 (`fnuz`).
enum class float8_special : std::uint8_t { ieee, fn, fnuz };

/// Eight bits as a floating number: sign, `ExponentBits`, and the rest fraction.
template <int ExponentBits, int Bias, float8_special Special>
struct float8_bits {
    static constexpr int fraction_bits = 7 - ExponentBits;
    static constexpr int all_ones = (1 << ExponentBits) - 1;
    static constexpr std::uint8_t nan = Special == float8_special::fnuz ? 0x80 : 0x7F;
    static constexpr std::uint8_t largest = Special == float8_special::fnuz ? 0x7F
                                            : Special == float8_special::fn ? 0x7E
                                                                            : static_cast<std::uint8_t>((all_ones << fraction_bits) - 1);
    static constexpr std::uint8_t infinity = static_cast<std::uint8_t>(all_ones << fraction_bits);

    std::uint8_t bits = 0;

    /// Exact.
    [[nodiscard]] double widened() const {
        const bool is_negative = (bits & 0x80u) != 0;
        const std::uint8_t magnitude = bits & 0x7Fu;
        if (Special == float8_special::fnuz ? bits == nan : magnitude > (Special == float8_special::fn ? largest : infinity))
            return std::numeric_limits<double>::quiet_NaN();
        if (Special == float8_special::ieee && magnitude == infinity)
            return is_negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
        const int exponent = magnitude >> fraction_bits, fraction = magnitude & ((1 << fraction_bits) - 1);
        const double value = exponent == 0 ? std::ldexp(fraction, 1 - Bias - fraction_bits)
                                           : std::ldexp(fraction + (1 << fraction_bits), exponent - Bias - fraction_bits);
        return is_negative ? -value : value;
    }

    /// The nearest number, halves to even. Beyond the range it is the largest one if it saturates, else infinity, or NaN if the type has no
    /// infinity. An infinity counts as beyond the range; NaN stays NaN.
    [[nodiscard]] static float8_bits narrowed(double value, bool saturates = true) {
        if (std::isnan(value))
            return {static_cast<std::uint8_t>(nan | (Special != float8_special::fnuz && std::signbit(value) ? 0x80u : 0u))};
        const auto sign = static_cast<std::uint8_t>(std::signbit(value) ? 0x80 : 0);
        const double most = float8_bits{largest}.widened();
        double magnitude = std::abs(value);
        if (std::isfinite(magnitude) && magnitude != 0) {
            const int exponent = std::max(std::ilogb(magnitude), 1 - Bias) - fraction_bits;
            magnitude = std::ldexp(std::nearbyint(std::ldexp(magnitude, -exponent)), exponent);
        }
        if (magnitude > most) {
            if (saturates) return {static_cast<std::uint8_t>(sign | largest)};
            if (Special == float8_special::ieee) return {static_cast<std::uint8_t>(sign | infinity)};
            return {static_cast<std::uint8_t>(Special == float8_special::fnuz ? nan : sign | nan)};
        }
        // -0 is the place of NaN where there is no other.
        if (magnitude == 0) return {static_cast<std::uint8_t>(Special == float8_special::fnuz ? 0 : sign)};
        const int exponent = std::ilogb(magnitude) + Bias;
        const int steps = exponent < 1
                              ? static_cast<int>(std::ldexp(magnitude, Bias - 1 + fraction_bits))
                              : (exponent << fraction_bits) + static_cast<int>(std::ldexp(magnitude, fraction_bits + Bias - exponent)) -
                                    (1 << fraction_bits);
        return {static_cast<std::uint8_t>(sign | steps)};
    }
};

using float8_e4m3fn_bits = float8_bits<4, 7, float8_special::fn>;
using float8_e4m3fnuz_bits = float8_bits<4, 8, float8_special::fnuz>;
using float8_e5m2_bits = float8_bits<5, 15, float8_special::ieee>;
using float8_e5m2fnuz_bits = float8_bits<5, 16, float8_special::fnuz>;

/// Calls `f(std::type_identity<T>())` for the struct of bits of an 8-bit float. Returns false for every other element type.
template <class F>
bool visit_float8(element_type e, F&& f) {
    switch (e) {
        case element_type::float8_e4m3fn:
            return f(std::type_identity<float8_e4m3fn_bits>()), true;
        case element_type::float8_e4m3fnuz:
            return f(std::type_identity<float8_e4m3fnuz_bits>()), true;
        case element_type::float8_e5m2:
            return f(std::type_identity<float8_e5m2_bits>()), true;
        case element_type::float8_e5m2fnuz:
            return f(std::type_identity<float8_e5m2fnuz_bits>()), true;
        default:
            return false;
    }
}

}  // namespace inlay

#endif
