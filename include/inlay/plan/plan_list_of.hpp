// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLAN_LIST_OF_HPP
#define INLAY_PLAN_PLAN_LIST_OF_HPP

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/lower_bound_ref.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/partition/plan_constraint.hpp>
#include <inlay/plan/plan_list.hpp>
#include <inlay/plan/plan_objective.hpp>
#include <inlay/plan/plan_options.hpp>
#include <inlay/plan/planning_problem.hpp>

namespace inlay {

/// Whether plans can be told by their time and a second objective under these options; the error names the preference that stands
/// against it.
[[nodiscard]] inline outcome<void> can_list(const plan_options& options) {
    for (const plan_constraint& one : options.constraints)
        if (one.rule == constraint_rule::prefer)
            return error{one.text + " is a preference, which has no place where plans are told by their time; leave it out"};
    return {};
}

/// Answers a question by the plans of which none is beaten in both time and a second objective. Prices are lazy, as those of `plan_of`.
/// Refers to all that it is made from.
[[nodiscard]] INLAY_FUNCTION outcome<plan_list> plan_list_of(planning_problem question, meter_ref pricing, lower_bound_ref bound,
                                                             plan_objective second);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/plan/plan_list_of.ipp>
#endif

#endif
