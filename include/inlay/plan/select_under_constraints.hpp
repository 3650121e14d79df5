// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_SELECT_UNDER_CONSTRAINTS_HPP
#define INLAY_PLAN_SELECT_UNDER_CONSTRAINTS_HPP

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/plan/plan_options.hpp>
#include <inlay/plan/selection_problem.hpp>
#include <inlay/plan/stated_constraints.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/constrained/select_constrained.hpp>

namespace inlay {

/// The best cover by an objective that keeps to rules.
struct ruled_selection {
    /// The cheapest of the best; how the search for the best ended.
    constrained_selection cheapest;
    /// With another objective than latency: what it comes to in it, and what no cover that keeps to the rules comes below.
    std::optional<double> value, value_bound;
    /// Where no cover keeps to the rules, the texts of those that clash.
    std::vector<std::string> clash;
};

/// Selects by the objective of the options, within their time. `amounts` are those of which the largest is what the objective is about;
/// none for latency.
[[nodiscard]] INLAY_FUNCTION ruled_selection select_under_constraints(const selection_problem& stated, const stated_constraints& rules,
                                                                      std::span<const quantity> amounts, const plan_options& options);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/plan/select_under_constraints.ipp>
#endif

#endif
