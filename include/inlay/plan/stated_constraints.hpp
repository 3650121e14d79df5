// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_STATED_CONSTRAINTS_HPP
#define INLAY_PLAN_STATED_CONSTRAINTS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/partition/part_size.hpp>
#include <inlay/plan/plan_options.hpp>
#include <inlay/plan/plan_quantities.hpp>
#include <inlay/plan/planning_problem.hpp>
#include <inlay/plan/selection_problem.hpp>
#include <inlay/search/constrained/constraints.hpp>
#include <inlay/search/constrained/limit.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/problem_under.hpp>

namespace inlay {

/// What a candidate costs more for each node that a preferred back end does not get.
inline constexpr double fine_per_node = 1e3;

/// The constraints and limits of a plan in a problem's numbers.
struct stated_constraints {
    /// The plan's, in their order; behind them that one back end is preferred, where the options say so.
    std::vector<constraint> constraints;
    std::vector<limit> limits;
    /// Of each of these, which of the plan's it is.
    std::vector<std::size_t> limit_of;

    [[nodiscard]] bool has(std::initializer_list<constraint_rule> wanted) const {
        return std::any_of(constraints.begin(), constraints.end(),
                           [&](const constraint& c) { return std::find(wanted.begin(), wanted.end(), c.rule) != wanted.end(); });
    }
};

/// States the rules of a question. The error names a constraint or a limit that `check` does not accept.
template <attributed_graph G, class List>
[[nodiscard]] outcome<stated_constraints> search_rules_of(const planning_problem<G, List>& question, const selection_problem& stated) {
    const G& g = question.graph;
    const List& backends = question.backends;
    const plan_options& options = question.options;
    const candidate_set& set = question.set;
    stated_constraints made;
    std::vector<node_id> number(g.size(), no_node);
    for (std::size_t v = stated.node_of.size(); v-- > 0;) number[stated.node_of[v]] = static_cast<node_id>(v);
    part_sizes<G> sizes(g);
    for (const plan_constraint& c : options.constraints) {
        // A part that is kept may be several composites.
        constraint one{c.rule == constraint_rule::keep ? constraint_rule::within : c.rule, {}, c.backend, c.seconds};
        for (const node_id n : c.nodes) one.nodes.push_back(number[n]);
        if (c.rule == constraint_rule::part_limit) {
            // One for a candidate that is too much by itself.
            one.amounts.assign(stated.numbers.candidates.size(), 0);
            for (std::size_t k = 0; k < stated.candidate_of.size(); ++k)
                if (const std::size_t of = stated.candidate_of[k]; of != selection_problem::none && set.candidates[of].backend == c.backend)
                    one.amounts[k] = c.cap.admits(sizes(set.candidates[of].nodes)) ? 0 : 1;
        }
        made.constraints.push_back(std::move(one));
    }
    for (const std::size_t b : backends.chosen()) {
        if (options.prefer.empty() || backends.kind(b) != options.prefer) continue;
        constraint one{constraint_rule::prefer, {}, static_cast<backend_id>(b), fine_per_node};
        for (const node_id n : set.to_cover) one.nodes.push_back(number[n]);
        made.constraints.push_back(std::move(one));
    }
    for (std::size_t i = 0; i < options.limits.size(); ++i)
        for (limit& one : limits_of(g, set, stated, options.limits[i])) {
            made.limits.push_back(std::move(one));
            made.limit_of.push_back(i);
        }
    if (auto sound = check(made.constraints, stated.numbers); !sound) return sound.failure();
    if (auto sound = check(std::span<const limit>(made.limits), stated.numbers); !sound) return sound.failure();
    return made;
}

/// The seconds of a graph's candidates as constraints would have them: infinite where these rule one out, and more by what it says against
/// preferences. Constraints that join nodes and limits are in no seconds.
[[nodiscard]] inline std::vector<double> seconds_under(const stated_constraints& rules, const selection_problem& stated,
                                                       std::vector<double> seconds) {
    const problem dearer = with_preferences(stated.numbers, rules.constraints);
    const problem_index index(stated.numbers);
    const std::vector<std::uint8_t> admitted = admitted_by(index, rules.constraints);
    for (std::size_t k = 0; k < stated.candidate_of.size(); ++k)
        if (const std::size_t of = stated.candidate_of[k]; of != selection_problem::none)
            seconds[of] = admitted[k] != 0 ? dearer.candidates[k].cost : impossible;
    return seconds;
}

}  // namespace inlay

#endif
