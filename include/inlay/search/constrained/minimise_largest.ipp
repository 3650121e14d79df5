// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_MINIMISE_LARGEST_IPP
#define INLAY_SEARCH_CONSTRAINED_MINIMISE_LARGEST_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <inlay/search/constrained/minimise_largest.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/search/constrained/constraints.hpp>
#include <inlay/search/constrained/lagrangian_branch_and_bound.hpp>
#include <inlay/search/constrained/limit.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/constrained/select_constrained.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/problem_under.hpp>
#include <inlay/search/select_options.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

largest_selection minimise_largest(const problem& given, std::span<const quantity> quantities, std::span<const constraint> constraints,
                                   std::span<const limit> limits, const select_options& options) {
    largest_selection made;
    if (quantities.empty()) {
        made.reason = "there is no quantity to be made small; give at least one.";
        return made;
    }
    const deadline end(options.budget_ms, options.cancel);
    if (given.nodes == 0 || first_uncovered(given) != no_node) {
        const constrained_selection only = select_constrained(given, constraints, limits, options);
        made.status = only.found.status;
        made.reason = only.found.reason;
        made.clash_limits = only.clash_limits;
        made.limit_amounts = only.amounts;
        if (!only.found.cost) return made;
        made.cost = 0;
        made.largest = 0;
        for (const quantity& q : quantities) {
            made.amounts.push_back(q.always);
            made.largest = std::max(*made.largest, q.always);
        }
        made.lower_bound = made.largest;
        return made;
    }
    const problem_index index(given);
    std::vector<const quantity*> all;
    limited_task task;
    task.aim = search_aim::largest;
    for (const limit& one : limits) {
        task.limited.push_back(all.size());
        task.most.push_back(one.most);
        all.push_back(&one.what);
    }
    for (const quantity& q : quantities) {
        task.largest.push_back(all.size());
        all.push_back(&q);
    }
    task.admitted = admitted_by(index, constraints);
    for (const constraint& one : constraints)
        if (one.rule == constraint_rule::colocate || one.rule == constraint_rule::separate) task.joins.push_back(&one);
    limited_answer answer = detail::lagrangian_branch_and_bound(index, all, task, options, end).run();
    made.status = answer.status;
    made.largest = answer.value;
    made.lower_bound = answer.lower_bound;
    made.effort = answer.effort;
    made.reason = answer.reason;
    if (answer.value) {
        made.chosen = std::move(answer.chosen);
        made.cost = cover_cost(index, made.chosen);
        const detail::cover_parts parts(index, made.chosen);
        for (const limit& one : limits) made.limit_amounts.push_back(detail::quantity_index(one.what, given).amount(parts));
        for (const quantity& q : quantities) made.amounts.push_back(detail::quantity_index(q, given).amount(parts));
        return made;
    }
    if (answer.status == selection_status::gap) {
        if (made.reason.empty())
            made.reason = "the search was stopped before it found a cover that keeps to all constraints and limits; give it more time.";
        return made;
    }
    // Why there is none does not hang on the quantities.
    select_options rest = options;
    if (const auto left = end.left_ms()) rest.budget_ms = *left;
    const constrained_selection why = select_constrained(given, constraints, limits, rest);
    made.clash = why.clash;
    made.clash_limits = why.clash_limits;
    made.reason = why.found.reason;
    return made;
}

largest_selection minimise_largest(const problem& given, std::span<const quantity> quantities, const select_options& options) {
    return minimise_largest(given, quantities, {}, {}, options);
}

}  // namespace inlay

#endif
