// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_LIMITED_TASK_HPP
#define INLAY_SEARCH_CONSTRAINED_LIMITED_TASK_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <inlay/search/constrained/constraints.hpp>
#include <inlay/search/constrained/lagrangian_costs.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// What a search among covers that keep limits makes least.
enum class search_aim : std::uint8_t {
    cost,
    /// The largest of several quantities.
    largest,
    /// Nothing: any cover will do.
    any,
};

/// What such a search is to find.
struct limited_task {
    search_aim aim = search_aim::cost;
    /// Per candidate, 0 for those that may not be chosen.
    std::vector<std::uint8_t> admitted;
    /// Colocations and separations; other rules are not looked at.
    std::vector<const constraint*> joins;
    /// Places of quantities that have a limit, and these.
    std::vector<std::size_t> limited;
    std::vector<double> most;
    /// Places of quantities of which the largest counts, all in one unit.
    std::vector<std::size_t> largest;
};

/// What it found.
struct limited_answer {
    selection_status status = selection_status::infeasible;
    /// What the best cover comes to, by the aim: its cost, the largest of its quantities, or 0; and what none comes to less than.
    std::optional<double> value;
    std::optional<double> lower_bound;
    std::vector<candidate_index> chosen;
    /// What stopped the search, if it is not that the time was up.
    std::string reason;
    search_effort effort;
    /// The best multipliers that the whole task was bounded with, in the problem's own units.
    std::vector<quantity_weight> multipliers;
};

}  // namespace inlay

#endif
