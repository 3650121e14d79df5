// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_PARETO_IPP
#define INLAY_SEARCH_CONSTRAINED_PARETO_IPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/search/constrained/pareto.hpp>

#include <inlay/search/constrained/constraints.hpp>
#include <inlay/search/constrained/limit.hpp>
#include <inlay/search/constrained/loads.hpp>
#include <inlay/search/constrained/minimise_largest.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/constrained/select_constrained.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/select_options.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

pareto_list pareto(const problem& given, std::span<const quantity> second, std::span<const constraint> constraints,
                   std::span<const limit> limits, const pareto_options& options) {
    pareto_list made;
    if (second.empty()) {
        made.reason = "there is no second objective; give at least one quantity.";
        return made;
    }
    if (options.most_points == 0) {
        made.status = selection_status::gap;
        made.reason = "no points are asked for, so that none was looked for; ask for at least one.";
        return made;
    }
    std::vector<constraint> kept(constraints.begin(), constraints.end());
    std::erase_if(kept, [](const constraint& one) { return one.rule == constraint_rule::prefer; });
    const deadline end(options.search.budget_ms, options.search.cancel);
    const auto timed = [&] {
        select_options how = options.search;
        if (const auto left = end.left_ms()) how.budget_ms = *left;
        return how;
    };
    const problem_index* index = nullptr;
    std::optional<problem_index> whole;
    if (given.nodes != 0 && first_uncovered(given) == no_node) index = &whole.emplace(given);
    const auto second_of = [&](const std::vector<candidate_index>& chosen) {
        double largest = 0;
        for (const quantity& q : second)
            largest = std::max(largest, index == nullptr ? q.always : quantity_of(*index, q, chosen).value_or(0));
        return largest;
    };
    // The limits of the caller, then those that the last point sets.
    std::vector<limit> all(limits.begin(), limits.end());
    for (const quantity& q : second) all.push_back({q, largest_total, {}});
    std::vector<limit> with_cost(limits.begin(), limits.end());
    with_cost.push_back({cost_as_quantity(given), 0, {}});
    double below = impossible, bound_so_far = 0;
    while (made.points.size() < options.most_points && !(made.points.size() > 0 && end.passed())) {
        const std::span<const limit> now = std::span<const limit>(all).first(below < impossible ? all.size() : limits.size());
        constrained_selection next = select_constrained(given, kept, now, timed());
        if (!next.found.cost) {
            if (made.points.empty()) {
                made.status = next.found.status;
                made.reason = next.found.reason;
                return made;
            }
            if (next.found.status != selection_status::infeasible) {
                made.beyond_costs = std::max(bound_so_far, next.found.lower_bound.value_or(0));
                return made;
            }
            made.complete = options.largest_share >= 1 &&
                            std::all_of(made.points.begin(), made.points.end(), [](const pareto_point& p) { return p.is_proved(); });
            return made;
        }
        pareto_point point{std::move(next.found.chosen), *next.found.cost, 0, below, next.found.lower_bound.value_or(0), 0};
        point.second = second_of(point.chosen);
        with_cost.back().most = point.cost;
        select_options how = timed();
        how.known_covers = {point.chosen};
        const largest_selection least = minimise_largest(given, second, kept, with_cost, how);
        point.second_bound = std::min(point.second, least.lower_bound.value_or(0));
        if (least.largest && *least.largest < point.second) {
            point.chosen = least.chosen;
            point.cost = *least.cost;
            point.second = *least.largest;
        }
        // What a search without proof found may be beaten by what comes later.
        while (!made.points.empty() && made.points.back().cost >= point.cost && !made.points.back().is_proved()) {
            point.cost_bound = std::min(point.cost_bound, made.points.back().cost_bound);
            point.at_most = made.points.back().at_most;
            made.points.pop_back();
        }
        bound_so_far = std::max(bound_so_far, point.cost_bound);
        made.status = selection_status::optimal;
        below = point.second * std::min(1 - pareto_step, options.largest_share);
        made.points.push_back(std::move(point));
        // Nothing is below 0.
        if (!(below > 0)) {
            made.complete = options.largest_share >= 1 &&
                            std::all_of(made.points.begin(), made.points.end(), [](const pareto_point& p) { return p.is_proved(); });
            return made;
        }
        for (std::size_t i = limits.size(); i < all.size(); ++i) all[i].most = below;
    }
    made.beyond_costs = bound_so_far;
    return made;
}

pareto_list pareto(const problem& given, std::span<const quantity> second, const pareto_options& options) {
    return pareto(given, second, {}, {}, options);
}

}  // namespace inlay

#endif
