// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_JOIN_COMPOSITES_HPP
#define INLAY_CANDIDATE_JOIN_COMPOSITES_HPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/candidate/enumerate.hpp>
#include <inlay/candidate/partition_rule.hpp>
#include <inlay/graph/op_kind.hpp>

namespace inlay {

/// The owner of the rules of a back end, as these see it: the configured instance, and what its pattern table took of the graph, each set
/// of nodes once, in the order of enumeration.
template <class Backend>
struct rule_owner {
    const Backend& instance;
    std::vector<ruled_subgraph> matched;
};

namespace detail {

/// The kind of a call as a back end's static `op_kind_of(operator)` has it; an anchor where it has none, so that a rule may join anything.
template <class Backend>
struct kinds_of_backend {
    template <class G>
    [[nodiscard]] op_kind operator()(const G& g, node_id n) const {
        if constexpr (requires(std::string_view op) {
                          { Backend::op_kind_of(op) } -> std::convertible_to<op_kind>;
                      })
            return Backend::op_kind_of(g.op(n));
        else
            return op_kind::anchor;
    }
};

/// The pieces that a joined set of nodes is made of: of the candidates with these numbers, in ascending order, those that lie in it and do
/// not overlap, the larger first, of equal ones the first in the order of enumeration.
[[nodiscard]] inline std::vector<matched_piece> pieces_of(const node_set& joined, std::span<const candidate> candidates,
                                                          std::span<const std::size_t> numbers) {
    std::vector<std::size_t> inside;
    for (const std::size_t number : numbers) {
        const std::vector<node_id>& nodes = candidates[number].nodes;
        if (std::all_of(nodes.begin(), nodes.end(), [&](node_id n) { return joined.has(n); })) inside.push_back(number);
    }
    std::stable_sort(inside.begin(), inside.end(),
                     [&](std::size_t a, std::size_t b) { return candidates[a].nodes.size() > candidates[b].nodes.size(); });
    node_set covered;
    std::vector<std::size_t> taken;
    for (const std::size_t number : inside) {
        const std::vector<node_id>& nodes = candidates[number].nodes;
        if (std::any_of(nodes.begin(), nodes.end(), [&](node_id n) { return covered.has(n); })) continue;
        for (const node_id n : nodes) covered.add(n);
        taken.push_back(number);
    }
    std::sort(taken.begin(), taken.end());
    std::vector<matched_piece> pieces;
    for (const std::size_t number : taken) pieces.push_back({candidates[number].composite, candidates[number].match});
    return pieces;
}

/// Adds what the rule of a back end makes of what its pattern table took: `enumerate` calls it for back ends that state one.
template <class Backend, attributed_graph G>
void join_composites(enumerator<G>& work, const asked_backend& asked, const Backend& instance) {
    using rule = typename Backend::partition_rule;
    static_assert(require_rule<rule>::ok);
    const dataflow flow(work.source(), kinds_of_backend<Backend>(), work.options().owned);
    rule_owner<Backend> owner{instance, {}};
    subgraph_index index;
    // Candidates are added below, and a list may move: what is asked later is noted by number.
    std::vector<std::size_t> numbers;
    for (std::size_t number = 0; number < work.found().candidates.size(); ++number) {
        const candidate& c = work.found().candidates[number];
        if (c.backend != asked.number) continue;
        node_set nodes;
        for (const node_id n : c.nodes) nodes.add(n);
        if (index.find(owner.matched, nodes, {}) != subgraph_index::none) continue;
        owner.matched.push_back({subgraph(flow, std::move(nodes)), c.name});
        index.add_last(owner.matched);
        numbers.push_back(number);
    }
    const ruled_subgraphs made = candidates_of(rule{}, work.source(), flow, owner, work.options().joining);
    for (const ruled_subgraph& one : made.candidates) {
        if (index.find(owner.matched, one.part.nodes(), {}) != subgraph_index::none) continue;
        work.propose(asked, one.part.nodes().list(), one.rule, pieces_of(one.part.nodes(), work.found().candidates, numbers));
    }
    for (const rule_note& note : made.notes)
        if (note.why == rule_note::cause::bounded)
            work.found().notes.push_back("the rule of back end '" + std::string(instance.kind) + "': " + note.reason);
}

}  // namespace detail

}  // namespace inlay

#endif
