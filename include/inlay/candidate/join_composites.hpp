// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_JOIN_COMPOSITES_HPP
#define INLAY_CANDIDATE_JOIN_COMPOSITES_HPP

#include <algorithm>
#include <cstddef>
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

/// Adds what the rule of a back end makes of what its pattern table took: `enumerate` calls it for back ends that state one.
template <class Backend, attributed_graph G>
void join_composites(enumerator<G>& work, const asked_backend& asked, const Backend& instance) {
    using rule = typename Backend::partition_rule;
    static_assert(require_rule<rule>::ok);
    const dataflow flow(work.source(), kinds_of_backend<Backend>(), work.options().owned);
    rule_owner<Backend> owner{instance, {}};
    subgraph_index index;
    for (const candidate& c : work.found().candidates) {
        if (c.backend != asked.number) continue;
        node_set nodes;
        for (const node_id n : c.nodes) nodes.add(n);
        if (index.find(owner.matched, nodes, {}) != subgraph_index::none) continue;
        owner.matched.push_back({subgraph(flow, std::move(nodes)), c.name});
        index.add_last(owner.matched);
    }
    const ruled_subgraphs made = candidates_of(rule{}, work.source(), flow, owner, work.options().joining);
    for (const ruled_subgraph& one : made.candidates)
        if (index.find(owner.matched, one.part.nodes(), {}) == subgraph_index::none) work.propose(asked, one.part.nodes().list(), one.rule);
    for (const rule_note& note : made.notes)
        if (note.why == rule_note::cause::bounded)
            work.found().notes.push_back("the rule of back end '" + std::string(instance.kind) + "': " + note.reason);
}

}  // namespace detail

}  // namespace inlay

#endif
