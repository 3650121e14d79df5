// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_REACHABILITY_HPP
#define INLAY_GRAPH_REACHABILITY_HPP

#include <cstddef>
#include <span>
#include <vector>

#include <inlay/core/sorted_list.hpp>
#include <inlay/graph/users.hpp>

namespace inlay {

/// Whether the set of nodes (ascending) is convex: no path leaves it and comes back. Walks only nodes between the set's first and
/// last number, since users have larger numbers than what they read. O(edges in that range).
template <graph G>
[[nodiscard]] bool is_convex(const G& g, const user_lists& users, std::span<const node_id> nodes) {
    if (nodes.size() < 2) return true;
    const node_id first = nodes.front(), last = nodes.back();
    std::vector<char> outside_reached(last - first + 1);
    const auto inside = [&](node_id n) { return sorted_has(nodes, n); };
    for (node_id n = first; n <= last; ++n) {
        const bool in = inside(n);
        if (in && outside_reached[n - first] != 0) return false;
        if (!in && outside_reached[n - first] == 0) continue;
        for (const node_id u : users[n])
            if (u <= last && (!in || !inside(u))) outside_reached[u - first] = 1;
    }
    static_cast<void>(g);
    return true;
}

/// A node outside a set (ascending, not empty) on a path from one of the set to another: one that reads from the set itself. `no_node`
/// where the set is convex. O(nodes + edges between the set's first and last number).
template <graph G>
[[nodiscard]] node_id node_between(const G& g, std::span<const node_id> nodes) {
    std::vector<node_id> through(g.size(), no_node);  // by node outside: where a path to it left the set
    for (node_id n = nodes.front(); n <= nodes.back(); ++n) {
        const bool is_inside = sorted_has(nodes, n);
        for (std::size_t i = 0; i < g.arity(n); ++i) {
            const node_id from = g.operand(n, i);
            if (is_inside && through[from] != no_node) return through[from];
            if (is_inside) continue;
            if (through[from] != no_node)
                through[n] = through[from];
            else if (sorted_has(nodes, from))
                through[n] = n;
        }
    }
    return no_node;
}

}  // namespace inlay

#endif
