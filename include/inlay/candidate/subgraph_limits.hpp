// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_SUBGRAPH_LIMITS_HPP
#define INLAY_CANDIDATE_SUBGRAPH_LIMITS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/candidate/dataflow.hpp>
#include <inlay/candidate/subgraph.hpp>
#include <inlay/graph/reachability.hpp>

namespace inlay {

/// What a subgraph may be; as a template argument, what a rule asks of its candidates.
struct subgraph_limits {
    std::size_t max_exits = 0;  // 0: any number
    bool allow_taps = false;    // whether a value may be read inside and outside
    std::size_t max_depth = 0;  // 0: any
};

/// Why a subgraph is not valid; in this order the first counts.
enum class subgraph_fault : std::uint8_t {
    none,
    empty,
    too_many_exits,
    too_deep,
    crosses_blocks,
    nested_outside,
    nested_overlap,
    tap,
    not_convex
};

/// Whether a subgraph is valid; where not, the reason in a sentence.
struct validity {
    subgraph_fault fault = subgraph_fault::none;
    std::string reason;

    explicit operator bool() const { return fault == subgraph_fault::none; }
};

namespace detail {

inline validity validity_of_parts(const std::vector<nested_part>& parts, const node_set& around) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const nested_part& p = parts[i];
        if (!is_subset(p.nodes, around))
            return {subgraph_fault::nested_outside, "part '" + p.name + "' has " + to_string(p.nodes - around) + " outside " +
                                                        to_string(around) + ", in which it is nested; nest a part within its subgraph"};
        for (std::size_t j = 0; j < i; ++j)
            if (!disjoint(parts[j].nodes, p.nodes))
                return {subgraph_fault::nested_overlap, "the nested parts '" + parts[j].name + "' and '" + p.name + "' both have " +
                                                            to_string(parts[j].nodes & p.nodes) + "; parts side by side share no node"};
        if (validity inside = validity_of_parts(p.inside, p.nodes); !inside) return inside;
    }
    return {};
}

/// What growing does not mend: a subgraph over the depth, in several blocks, or with nodes of an existing part. (Taking in the constants
/// that its entries read makes them no entries and the depth less; no way round the limit is meant by that.)
inline bool is_infeasible(const dataflow& flow, const subgraph& s, std::size_t max_depth) {
    if (max_depth != 0 && s.depth() > max_depth) return true;
    for (const node_id n : s.nodes())
        if (flow.block(n) != flow.block(s.nodes().first()) || flow.is_owned(n)) return true;
    return false;
}

}  // namespace detail

/// Whether a subgraph keeps to the limits, lies in one block, is convex, and its nested parts lie in it side by side.
/// O(edges in the range of its nodes + its nested parts squared).
[[nodiscard]] inline validity validity_of(const dataflow& flow, const subgraph& s, const subgraph_limits& most) {
    const node_set& nodes = s.nodes();
    if (nodes.empty()) return {subgraph_fault::empty, "the subgraph has no nodes; give it at least one"};
    if (most.max_exits != 0 && s.exits().size() > most.max_exits)
        return {subgraph_fault::too_many_exits, to_string(nodes) + " has the exits " + to_string(s.exits()) + ", more than the " +
                                                    std::to_string(most.max_exits) + " allowed; take fewer nodes or allow more exits"};
    if (most.max_depth != 0 && s.depth() > most.max_depth)
        return {subgraph_fault::too_deep, to_string(nodes) + " is " + std::to_string(s.depth()) + " nodes deep, more than the " +
                                              std::to_string(most.max_depth) + " allowed; take fewer nodes or allow more depth"};
    for (const node_id n : nodes)
        if (flow.block(n) != flow.block(nodes.first()))
            return {subgraph_fault::crosses_blocks, "nodes " + std::to_string(nodes.first()) + " and " + std::to_string(n) +
                                                        " stand in different blocks; a subgraph lies in one"};
    if (validity parts = detail::validity_of_parts(s.nested(), nodes); !parts) return parts;
    if (!most.allow_taps && !s.taps().empty())
        return {subgraph_fault::tap, "the values of " + to_string(s.taps()) + " are read inside " + to_string(nodes) +
                                         " and outside; allow taps or leave their readers out"};
    if (!is_convex(flow, flow.users(), nodes))
        return {subgraph_fault::not_convex, "a path leaves " + to_string(nodes) + " at node " + std::to_string(node_between(flow, nodes)) +
                                                " and comes back; take what lies between as well"};
    return {};
}

}  // namespace inlay

#endif
