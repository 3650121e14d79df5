// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLAN_LIST_HPP
#define INLAY_PLAN_PLAN_LIST_HPP

#include <cstddef>
#include <optional>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/codegen/list/prepared_program.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/plan/plan_objective.hpp>

namespace inlay {

/// One plan of a list: what it costs, and what it comes to in a second objective.
struct plan_point {
    std::size_t program = 0;          // of the list's programs
    std::vector<std::size_t> chosen;  // candidates of that program's set, ascending
    partitioned cut;
    double seconds = 0;
    double second = 0;  // bytes of the peak, or seconds of the load
    /// No plan with less of the second objective than the point before has costs less than the one, of the first point no plan at all; and
    /// none that costs at most `seconds` comes to less than the other.
    double seconds_bound = 0;
    double second_bound = 0;
    bool is_proved = false;  // both bounds are met
    bool is_priced = false;  // all that it uses has a price; else `seconds`, and a load, are lower bounds of what it takes
};

/// A program that plans of a list are for, and the candidates that they are chosen from.
struct listed_program {
    candidate_set set;
    /// Where phases of back ends changed the program before it was partitioned: what came of them, whose nodes all of this speaks of. Where
    /// it is not there, plans are for what was given.
    std::optional<prepared_program> prepared{};
};

/// Plans from the cheapest to the one with the least of a second objective, none beaten in both by another of them.
struct plan_list {
    std::vector<listed_program> programs;  // one, unless phases of back ends made several; of some there may be no point
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
