// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_SELECT_WITHIN_HPP
#define INLAY_SEARCH_CONSTRAINED_SELECT_WITHIN_HPP

#include <span>

#include <inlay/search/constrained/constraints.hpp>
#include <inlay/search/constrained/limit.hpp>
#include <inlay/search/constrained/select_constrained.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/select_options.hpp>

namespace inlay {

/// The cheapest cover that stays within limits: a bound on memory, on energy, or, with one limit for each position of `live_bytes`, on the
/// peak. Limits that no cover comes near cost little: they enter when something breaks them. See `select_constrained`, which this is
/// without constraints.
[[nodiscard]] inline constrained_selection select_within(const problem& given, std::span<const limit> limits,
                                                         const select_options& options = {}) {
    return select_constrained(given, std::span<const constraint>(), limits, options);
}

}  // namespace inlay

#endif
