// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLAN_PART_RULES_HPP
#define INLAY_PLAN_PLAN_PART_RULES_HPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/graph/reachability.hpp>
#include <inlay/graph/shown_node.hpp>
#include <inlay/partition/part_rules.hpp>
#include <inlay/partition/part_size.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/partition/plan_constraint.hpp>

namespace inlay {

/// What the constraints of a plan say of its parts.
struct plan_part_rules {
    part_rules rules;
    /// By kept set: the text of the constraint that keeps it.
    std::vector<std::string> keepers;
};

/// Reads the constraints that speak of parts. The error says of the first one that cannot be why: it names a node that nobody has to run,
/// its nodes are no part, or it clashes with another. O(constraints * (nodes + edges)).
template <typed_graph G>
[[nodiscard]] outcome<plan_part_rules> part_rules_of(const G& g, const candidate_set& set, std::span<const plan_constraint> constraints) {
    constexpr std::size_t nobody = static_cast<std::size_t>(-1);
    plan_part_rules made;
    std::vector<std::size_t> kept_in(g.size(), nobody);  // by node: the set in which it is kept
    std::vector<std::size_t> keeper;                     // by set: its constraint
    for (std::size_t i = 0; i < constraints.size(); ++i) {
        const plan_constraint& one = constraints[i];
        for (const node_id n : one.nodes)
            if (n >= g.size() || !sorted_has(set.to_cover, n))
                return error{one.text + " names " + shown_node(g, n) + ", which no back end has to run; name a node that is covered"};
        if (one.rule == constraint_rule::part_limit) {
            made.rules.caps.push_back(one.cap);
            made.rules.caps.back().backend = one.backend;
        }
        if (one.rule != constraint_rule::keep) continue;
        if (one.nodes.empty()) return error{one.text + " has no nodes, and would say nothing; give it some"};
        std::vector<node_id> nodes = one.nodes;
        sort_unique(nodes);
        bool is_said = false;
        for (const node_id n : nodes) {
            if (kept_in[n] == nobody) continue;
            const plan_constraint& other = constraints[keeper[kept_in[n]]];
            is_said = other.backend == one.backend && made.rules.kept[kept_in[n]] == nodes;
            if (!is_said) return clash_of(std::vector{other.text, one.text});
        }
        if (is_said) continue;
        if (const node_id between = node_between(g, std::span<const node_id>(nodes)); between != no_node)
            return error{one.text + " has nodes before and behind " + shown_node(g, between) +
                         ", which it has not, so that they are no part; add that one, or keep less"};
        for (const node_id n : nodes) kept_in[n] = made.rules.kept.size();
        keeper.push_back(i);
        made.keepers.push_back(one.text);
        made.rules.kept.push_back(std::move(nodes));
    }
    part_sizes<G> sizes(g);
    for (std::size_t k = 0; k < keeper.size(); ++k) {
        const part_size size = sizes(made.rules.kept[k]);
        const plan_constraint& one = constraints[keeper[k]];
        for (const plan_constraint& cap : constraints)
            if (cap.rule == constraint_rule::part_limit && cap.backend == one.backend && !cap.cap.admits(size))
                return clash_of(std::vector{one.text, cap.text});
    }
    return made;
}

/// The cut that keeps to what constraints say of parts. The error says which of them no cut into these candidates keeps to.
template <typed_graph G>
[[nodiscard]] outcome<partitioned> partition(const G& g, const candidate_set& set, std::span<const std::size_t> chosen,
                                             const plan_part_rules& parts) {
    if (parts.rules.empty() || !in_force<"partition.existing.kept">()) return partition(g, set, chosen);
    partitioned cut = partition(g, set, chosen, parts.rules);
    std::size_t composites = 0;
    for (const part& p : cut.parts) composites += p.composites.size();
    if (composites == chosen.size()) return cut;
    std::string texts;
    for (const std::string& text : parts.keepers) texts += (texts.empty() ? "" : "; ") + text;
    return error{"in the best cover, composites outside wait for kept parts and these for them, so that it cannot be cut; keep less of: " +
                 texts};
}

}  // namespace inlay

#endif
