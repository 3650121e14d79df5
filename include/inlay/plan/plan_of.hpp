// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLAN_OF_HPP
#define INLAY_PLAN_PLAN_OF_HPP

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/lower_bound_ref.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/plan/plan.hpp>
#include <inlay/plan/planning_problem.hpp>
#include <inlay/plan/program_meter.hpp>

namespace inlay {

/// Answers a question by a plan. Prices are lazy: solve with lower bounds, price what the optimum uses, repeat until all that the optimum
/// uses has been priced. Bounds being admissible, that optimum is the one of the true prices. Then the contenders are run as whole
/// programs, where a piece may take longer than by itself: what it took there is its price from then on, and the search is repeated until
/// its optimum has been run. The error says why there is none.
[[nodiscard]] INLAY_FUNCTION outcome<plan> plan_of(planning_problem question, meter_ref pricing, lower_bound_ref bound,
                                                   program_meter_ref whole);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/plan/plan_of.ipp>
#endif

#endif
