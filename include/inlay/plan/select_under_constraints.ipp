// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_SELECT_UNDER_CONSTRAINTS_IPP
#define INLAY_PLAN_SELECT_UNDER_CONSTRAINTS_IPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/plan/select_under_constraints.hpp>

#include <inlay/partition/plan_constraint.hpp>
#include <inlay/plan/plan_objective.hpp>
#include <inlay/plan/plan_options.hpp>
#include <inlay/plan/selection_problem.hpp>
#include <inlay/plan/stated_constraints.hpp>
#include <inlay/search/constrained/limit.hpp>
#include <inlay/search/constrained/minimise_largest.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/constrained/select_constrained.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/problem_under.hpp>

namespace inlay {

ruled_selection select_under_constraints(const selection_problem& stated, const stated_constraints& rules,
                                         std::span<const quantity> amounts, const plan_options& options) {
    ruled_selection made;
    const auto tell = [&](const std::vector<std::size_t>& constraints, const std::vector<std::size_t>& limits) {
        for (const std::size_t i : constraints)
            if (i < options.constraints.size()) made.clash.push_back(options.constraints[i].text);
        for (const std::size_t i : limits)
            if (const std::string& text = options.limits[rules.limit_of[i]].text;
                std::find(made.clash.begin(), made.clash.end(), text) == made.clash.end())
                made.clash.push_back(text);
    };
    if (options.objective == plan_objective::latency) {
        made.cheapest = select_constrained(stated.numbers, rules.constraints, rules.limits, options.search);
        tell(made.cheapest.clash, made.cheapest.clash_limits);
        return made;
    }
    const deadline end(options.search.budget_ms, options.search.cancel);
    largest_selection best = minimise_largest(stated.numbers, amounts, rules.constraints, rules.limits, options.search);
    tell(best.clash, best.clash_limits);
    made.cheapest.found.status = best.status;
    made.cheapest.found.reason = best.reason;
    made.cheapest.found.effort = best.effort;
    if (!best.largest) return made;
    std::vector<limit> limits = rules.limits;
    for (const quantity& q : amounts) limits.push_back({q, *best.largest, {}});
    select_options rest = options.search;
    if (const auto left = end.left_ms()) rest.budget_ms = *left;
    rest.known_covers = {best.chosen};
    constrained_selection cheapest = select_constrained(stated.numbers, rules.constraints, limits, rest);
    made.value = 0;
    if (cheapest.found.cost) {
        made.cheapest = std::move(cheapest);
        for (std::size_t i = rules.limits.size(); i < limits.size(); ++i) made.value = std::max(*made.value, made.cheapest.amounts[i]);
    } else {
        selection& found = made.cheapest.found;
        found.chosen = std::move(best.chosen);
        made.cheapest.price = best.cost;
        found.cost = cover_cost(problem_index(with_preferences(stated.numbers, rules.constraints)), found.chosen);
        for (const double amount : best.amounts) made.value = std::max(*made.value, amount);
    }
    made.cheapest.found.status = best.status;
    made.cheapest.found.effort = best.effort;
    made.value_bound = std::min(*made.value, best.lower_bound.value_or(0));
    return made;
}

}  // namespace inlay

#endif
