// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_SCALED_HPP
#define INLAY_SEARCH_SCALED_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace inlay {

/// A price as the search adds it up: a whole number of units, so that no order of summation, compiler or thread can change a tie.
using scaled = std::int64_t;

/// The price of what is not allowed. Sums of two prices fit in 64 bits, and every price of a cover stays below a quarter of it.
inline constexpr scaled never = scaled{1} << 61;

/// The sum of two prices, `never` if either is.
[[nodiscard]] constexpr scaled add(scaled a, scaled b) { return std::min(a + b, never); }

/// The unit of a search: a power of two, so that scaling back is exact and prices with few digits are scaled exactly.
struct scaling {
    int exponent = 0;

    /// The finest unit in which a sum of `total`, finite and at least 0, stays below 2^59.
    [[nodiscard]] static scaling for_total(double total) {
        if (!(total > 0)) return {0};
        int bits = 0;
        std::frexp(total, &bits);
        return {58 - bits};
    }
    /// The nearest whole number of units; what does not fit is `never`.
    [[nodiscard]] scaled of(double price) const {
        const double units = std::ldexp(price, exponent);
        return units < 0x1p60 ? static_cast<scaled>(std::llround(units)) : never;
    }
    [[nodiscard]] double back(scaled price) const { return std::ldexp(static_cast<double>(price), -exponent); }
};

}  // namespace inlay

#endif
