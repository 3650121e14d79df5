// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_PARETO_HPP
#define INLAY_SEARCH_CONSTRAINED_PARETO_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/search/constrained/constraints.hpp>
#include <inlay/search/constrained/limit.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/problem.hpp>
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
[[nodiscard]] INLAY_FUNCTION pareto_list pareto(const problem& given, std::span<const quantity> second,
                                                std::span<const constraint> constraints, std::span<const limit> limits,
                                                const pareto_options& options = {});

/// The same without constraints and limits.
[[nodiscard]] INLAY_FUNCTION pareto_list pareto(const problem& given, std::span<const quantity> second, const pareto_options& options = {});

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/search/constrained/pareto.ipp>
#endif

#endif
