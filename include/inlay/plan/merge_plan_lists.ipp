// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_MERGE_PLAN_LISTS_IPP
#define INLAY_PLAN_MERGE_PLAN_LISTS_IPP

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <inlay/plan/merge_plan_lists.hpp>

#include <inlay/plan/plan_list.hpp>
#include <inlay/search/constrained/limit.hpp>
#include <inlay/search/constrained/pareto.hpp>
#include <inlay/search/problem.hpp>

namespace inlay {

namespace detail {

/// What a list says of all plans of its program, whether it has them or not. Outlives the list.
class listed_bounds {
public:
    explicit listed_bounds(const plan_list& list) {
        double below = impossible, costs = 0;
        for (const plan_point& p : list.points) {
            // Less of the second objective never costs less.
            costs = std::max(costs, p.seconds_bound);
            steps_.push_back({below, costs, p.seconds, p.second_bound});
            below = p.second * (1 - pareto_step);
        }
        steps_.push_back({below, list.beyond_costs ? std::max(costs, *list.beyond_costs) : impossible, 0, 0});
    }

    /// What plans with less of the second objective than that cost at the least.
    [[nodiscard]] double least_seconds(double second) const {
        double least = 0;
        for (const step& s : steps_)
            if (s.below >= second) least = s.costs;
        return least;
    }
    /// What plans that cost at most so much come to at the least.
    [[nodiscard]] double least_second(double seconds) const {
        double least = 0;
        for (const step& s : steps_) {
            if (seconds <= s.seconds) least = std::max(least, s.second_bound);
            if (seconds < s.costs) least = std::max(least, s.below);
        }
        return least;
    }

private:
    /// No plan with less of the second objective than `below` costs less than `costs`, and none that costs at most `seconds` comes to less
    /// than `second_bound`.
    struct step {
        double below, costs, seconds, second_bound;
    };

    std::vector<step> steps_;
};

}  // namespace detail

plan_list merge_plan_lists(std::vector<plan_list> lists) {
    plan_list made;
    made.is_complete = true;
    std::vector<detail::listed_bounds> bounds;
    std::vector<plan_point> all;
    for (plan_list& list : lists) {
        bounds.emplace_back(list);
        made.second = list.second;
        made.pricing_rounds += list.pricing_rounds;
        made.is_complete = made.is_complete && list.is_complete;
        if (list.beyond_costs) made.beyond_costs = std::min(made.beyond_costs.value_or(impossible), *list.beyond_costs);
        for (plan_point& p : list.points) {
            p.program = made.programs.size();
            all.push_back(std::move(p));
        }
        made.programs.push_back(std::move(list.programs.front()));
    }
    std::stable_sort(all.begin(), all.end(), [](const plan_point& a, const plan_point& b) {
        return a.seconds != b.seconds ? a.seconds < b.seconds : a.second < b.second;
    });
    for (plan_point& p : all) {
        std::vector<plan_point>& points = made.points;
        if (!points.empty() && p.second >= points.back().second * (1 - pareto_step)) continue;
        // One that is dearer by rounding alone beats the one before.
        while (!points.empty() && p.seconds <= points.back().seconds * (1 + limit_slack)) points.pop_back();
        points.push_back(std::move(p));
    }
    // Bounds of the lists are met but for a share, and so are those of their sum.
    constexpr double cost_share = 4 * limit_slack, second_share = 3 * pareto_step;
    double below = impossible;
    for (plan_point& p : made.points) {
        for (std::size_t i = 0; i < bounds.size(); ++i) {
            if (i != p.program) p.second_bound = std::min(p.second_bound, bounds[i].least_second(p.seconds));
            p.seconds_bound = std::min(p.seconds_bound, bounds[i].least_seconds(below));
        }
        p.is_proved =
            p.is_proved && p.seconds <= p.seconds_bound + cost_share * p.seconds && p.second <= p.second_bound + second_share * p.second;
        made.is_complete = made.is_complete && p.is_proved;
        below = p.second * (1 - second_share);
    }
    return made;
}

}  // namespace inlay

#endif
