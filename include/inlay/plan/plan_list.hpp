// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLAN_LIST_HPP
#define INLAY_PLAN_PLAN_LIST_HPP

#include <cstddef>
#include <optional>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/plan/plan_objective.hpp>

namespace inlay {

/// One plan of a list: what it costs, and what it comes to in a second objective.
struct plan_point {
    std::vector<std::size_t> chosen;  // candidates of the set, ascending
    partitioned cut;
    double seconds = 0;
    double second = 0;  // bytes of the peak, or seconds of the load
    /// No plan with at most so much of the second objective costs less, and none that costs at most as much comes to less.
    double seconds_bound = 0;
    double second_bound = 0;
    bool is_proved = false;  // both bounds are met
    bool is_priced = false;  // all that it uses has a price; else `seconds`, and a load, are lower bounds of what it takes
};

/// Plans from the cheapest to the one with the least of a second objective, none beaten in both by another of them.
struct plan_list {
    candidate_set set;
    plan_objective second = plan_objective::peak;
    std::vector<plan_point> points;
    /// Whether nothing is missing: all are proved, and no plan has less of the second objective than the last.
    bool is_complete = false;
    /// Where something is missing behind the last: plans with less of the second objective cost at least so much.
    std::optional<double> beyond_costs;
    std::size_t pricing_rounds = 0;
};

}  // namespace inlay

#endif
