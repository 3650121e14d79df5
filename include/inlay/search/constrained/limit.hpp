// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_LIMIT_HPP
#define INLAY_SEARCH_CONSTRAINED_LIMIT_HPP

#include <cstddef>
#include <span>
#include <string>

#include <inlay/core/outcome.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/problem.hpp>

namespace inlay {

/// How far a sum of doubles may be above a limit that it keeps, and how far a lower bound may be below what is called optimal, as a share.
inline constexpr double limit_slack = 1e-9;

/// Whether an amount stays at or under a limit, but for rounding.
[[nodiscard]] inline bool keeps_limit(double amount, double most) { return amount <= most + most * limit_slack; }

/// What a cover may come to at the most in some quantity.
struct limit {
    quantity what;
    /// Finite, at least 0, in the quantity's unit.
    double most = 0;
    /// What messages call it.
    std::string name{};

    friend bool operator==(const limit&, const limit&) = default;
};

/// Whether limits speak of a problem that `check` accepts; the error names the first that does not.
[[nodiscard]] inline outcome<void> check(std::span<const limit> limits, const problem& given) {
    for (std::size_t i = 0; i < limits.size(); ++i) {
        const std::string here = "limits[" + std::to_string(i) + "]" + (limits[i].name.empty() ? "" : " (" + limits[i].name + ")");
        if (!(limits[i].most >= 0 && limits[i].most <= largest_total))
            return error{here +
                         " allows for no finite number of at least 0, up to 1e300; give one, or leave it out where nothing is limited."};
        if (auto sound = check(limits[i].what, given); !sound) return error{here + ": " + sound.failure().message};
    }
    return {};
}

}  // namespace inlay

#endif
