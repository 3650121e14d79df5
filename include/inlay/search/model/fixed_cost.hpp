// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_MODEL_FIXED_COST_HPP
#define INLAY_SEARCH_MODEL_FIXED_COST_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace inlay {

/// A price as the search adds it up: a whole number of units, so that no order of summation, compiler or thread can change a tie.
using fixed_cost = std::int64_t;

/// The price of what is not allowed. Sums of two prices fit in 64 bits, and every price of a cover stays below a quarter of it.
inline constexpr fixed_cost infinite_cost = fixed_cost{1} << 61;

/// Prices from here on are `infinite_cost`, so that a total below it is made of prices that were all looked at, and one above it may not
/// be.
inline constexpr fixed_cost beyond_reach = fixed_cost{1} << 59;

/// The sum of two prices, `infinite_cost` if either is.
[[nodiscard]] constexpr fixed_cost add(fixed_cost a, fixed_cost b) { return std::min(a + b, infinite_cost); }

/// The unit of a search: a power of two, so that scaling back is exact and prices with few digits are scaled exactly.
struct scaling {
    int exponent = 0;

    /// The finest unit in which a sum of `total`, finite and at least 0, stays below 2^58.
    [[nodiscard]] static scaling for_total(double total) {
        if (!(total > 0)) return {0};
        int bits = 0;
        std::frexp(total, &bits);
        return {58 - bits};
    }
    /// The nearest whole number of units; `infinite_cost` from `beyond_reach` on.
    [[nodiscard]] fixed_cost of(double price) const {
        const double units = std::ldexp(price, exponent);
        if (!(units < static_cast<double>(beyond_reach))) return infinite_cost;
        const auto whole = static_cast<fixed_cost>(units);
        return whole + (units - static_cast<double>(whole) >= 0.5 ? 1 : 0);
    }
    [[nodiscard]] double back(fixed_cost price) const { return std::ldexp(static_cast<double>(price), -exponent); }
    /// How far a sum of so many scaled prices may be from the sum of the prices.
    [[nodiscard]] double error_of(double terms) const { return std::ldexp(terms, -exponent - 1); }
    /// Totals up to this are below 2^58 units, and at least half of that.
    [[nodiscard]] double reach() const { return std::ldexp(1.0, 57 - exponent); }
};

}  // namespace inlay

#endif
