// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_STATED_CONSTRAINTS_HPP
#define INLAY_PLAN_STATED_CONSTRAINTS_HPP

#include <cstddef>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/plan/planning_problem.hpp>
#include <inlay/plan/selection_problem.hpp>
#include <inlay/search/constrained/constraints.hpp>
#include <inlay/search/constrained/limit.hpp>

namespace inlay {

/// What a candidate costs more for each node that a preferred back end does not get.
inline constexpr double fine_per_node = 1e3;

/// The constraints and limits of a plan in a problem's numbers.
struct stated_constraints {
    /// The plan's, in their order; behind them that one back end is preferred, where the options say so.
    std::vector<constraint> constraints;
    std::vector<limit> limits;
    /// Of each of these, which of the plan's it is.
    std::vector<std::size_t> limit_of;

    [[nodiscard]] bool has(std::initializer_list<constraint_rule> wanted) const {
        return std::any_of(constraints.begin(), constraints.end(),
                           [&](const constraint& c) { return std::find(wanted.begin(), wanted.end(), c.rule) != wanted.end(); });
    }
};

/// States the rules of a question. The error names a constraint or a limit that `check` does not accept.
[[nodiscard]] INLAY_FUNCTION outcome<stated_constraints> search_rules_of(const planning_problem& question, const selection_problem& stated);

/// The seconds of a graph's candidates as constraints would have them: infinite where these rule one out, and more by what it says against
/// preferences. Constraints that join nodes and limits are in no seconds.
[[nodiscard]] INLAY_FUNCTION std::vector<double> seconds_under(const stated_constraints& rules, const selection_problem& stated,
                                                               std::vector<double> seconds);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/plan/stated_constraints.ipp>
#endif

#endif
