// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_PARETO_HPP
#define INLAY_SEARCH_CONSTRAINED_PARETO_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

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

/// How much less the second objective of two points of a list is at least, as a share; what is nearer counts as the same.
inline constexpr double pareto_step = 8e-9;

/// A cover that no other one known beats in both its cost and the second objective.
struct pareto_point {
    std::vector<candidate_index> chosen;
    double cost = 0;
    /// The largest of the quantities.
    double second = 0;
    /// The point is the cheapest that was found with at most so much of the second objective: hardly less than the point before has, or
    /// `largest_share` of that; `impossible` for the first. What lies between was not looked at.
    double at_most = impossible;
    /// No cover with at most that much costs less; equal to the cost, but for `limit_slack`, where that is proved.
    double cost_bound = 0;
    /// No cover that costs at most as much comes to less of the second objective.
    double second_bound = 0;

    /// Whether both bounds are met: then no cover beats this one in either without losing in the other, and every cover with at most
    /// `at_most` is as dear as this one or dearer.
    [[nodiscard]] bool is_proved() const {
        return cost <= cost_bound + 2 * limit_slack * cost && second <= second_bound + pareto_step * second;
    }
};

/// Covers from the cheapest to the one with the least of a second objective.
struct pareto_list {
    /// Ascending by cost, descending by the second objective. Where a point is proved, no cover with at most its `at_most` lies between it
    /// and the one before; where it is not, covers may, which cost at least its `cost_bound`.
    std::vector<pareto_point> points;
    /// Whether nothing is missing: all points are proved, no stretch between them was left out, and no cover has less of the second
    /// objective than the last one.
    bool complete = false;
    /// Where it is not: beyond the last point, covers with less of the second objective were not looked at, but for this: they cost at
    /// least so much. None where it is proved that there are none.
    std::optional<double> beyond_costs;
    /// Where there are no points: why.
    selection_status status = selection_status::infeasible;
    std::string reason;
};

/// How to list covers.
struct pareto_options {
    /// `budget_ms` and `cancel` hold for the whole list; what was found by then is kept.
    select_options search;
    /// Most points; the list then ends early, and says so.
    std::size_t most_points = 1000;
    /// A point has at most this share of the second objective of the one before; the smaller, the fewer points. Below 1 the list is never
    /// `complete`: each point tells by `at_most` what was left out before it, and what is between the last one and this share of it was not
    /// looked at.
    double largest_share = 1;
};

/// The covers that keep to constraints and limits and of which none is beaten in both cost and a second objective: the largest of some
/// quantities (one quantity: energy; the `live_bytes` of positions: the peak). Each next point is the cheapest cover with less of it than
/// the last, and of the covers at that cost one with the least of it: two searches for each point. Preferences make covers dearer, as in
/// `select_constrained`, and are not to be given here: state them in the problem's costs. `check` must accept all; at least one quantity.
[[nodiscard]] inline pareto_list pareto(const problem& given, std::span<const quantity> second, std::span<const constraint> constraints,
                                        std::span<const limit> limits, const pareto_options& options = {}) {
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

/// The same without constraints and limits.
[[nodiscard]] inline pareto_list pareto(const problem& given, std::span<const quantity> second, const pareto_options& options = {}) {
    return pareto(given, second, {}, {}, options);
}

}  // namespace inlay

#endif
