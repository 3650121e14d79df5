// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_PARTITION_PLANNED_HPP
#define INLAY_TESTS_PARTITION_PLANNED_HPP

#include <utility>

#include "../cost/no_meter.hpp"
#include "all_covers.hpp"

#include <inlay/plan/plan_of.hpp>

namespace toys {

/// The plan for a program on back ends that state their prices.
template <class List>
[[nodiscard]] inlay::outcome<inlay::plan> planned(const inlay::ir_module& m, const List& backends, const inlay::plan_options& options) {
    auto question = inlay::planning_problem_of(m, backends, options);
    if (!question) return question.failure();
    no_meter meter;
    covers::flat_bound bound;
    inlay::no_program_meter whole;
    return inlay::plan_of(*std::move(question), meter, bound, whole);
}

}  // namespace toys

#endif
