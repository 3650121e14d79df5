// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_SOLVE_ONCE_HPP
#define INLAY_PLAN_SOLVE_ONCE_HPP

#include <optional>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/plan/partitioner.hpp>
#include <inlay/plan/plan.hpp>
#include <inlay/plan/planning_problem.hpp>
#include <inlay/plan/price_cache.hpp>
#include <inlay/plan/selection_problem.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// What one way to decide answers under the prices of a day.
struct decision {
    contender made;
    search_effort effort;
    /// See `plan::stated` and `plan::penalties`.
    std::optional<selection_problem> stated;
    std::optional<double> penalties;
};

/// Decides a question as that partitioner does, under what a price cache knows. The error says what is wrong with the problem
/// or the rules in numbers; that there is no cover is a contender without seconds, with the reason.
[[nodiscard]] INLAY_FUNCTION outcome<decision> solve_once(const planning_problem& question, const price_cache& prices,
                                                          const partitioner& way);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/plan/solve_once.ipp>
#endif

#endif
