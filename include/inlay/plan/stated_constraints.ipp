// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_STATED_CONSTRAINTS_IPP
#define INLAY_PLAN_STATED_CONSTRAINTS_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include <inlay/plan/stated_constraints.hpp>

#include <inlay/codegen/list/backends_ref.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/graph_ref.hpp>
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

outcome<stated_constraints> search_rules_of(const planning_problem& question, const selection_problem& stated) {
    const graph_ref g = question.graph;
    const backends_ref backends = question.backends;
    const plan_options& options = question.options;
    const candidate_set& set = question.set;
    stated_constraints made;
    std::vector<node_id> number(g.size(), no_node);
    for (std::size_t v = stated.node_of.size(); v-- > 0;) number[stated.node_of[v]] = static_cast<node_id>(v);
    part_sizes<graph_ref> sizes(g);
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

std::vector<double> seconds_under(const stated_constraints& rules, const selection_problem& stated, std::vector<double> seconds) {
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
