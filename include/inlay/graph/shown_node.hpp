// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_SHOWN_NODE_HPP
#define INLAY_GRAPH_SHOWN_NODE_HPP

#include <concepts>
#include <string>
#include <string_view>

#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/concepts.hpp>

namespace inlay {

/// The name of node n, for any graph: `g.name(n)`, text that lives as long as the graph; empty where the node has none, or where the graph
/// names no nodes.
template <graph G>
[[nodiscard]] std::string_view node_name(const G& g, node_id n) {
    if constexpr (requires {
                      { g.name(n) } -> std::convertible_to<std::string_view>;
                  })
        return g.name(n);
    else
        return {};
}

/// The node as a sentence names it: `node 'conv1'`, or `node 17` where it has no name or the graph no such node. Whatever the name holds,
/// it stays on one line.
template <graph G>
[[nodiscard]] std::string shown_node(const G& g, node_id n) {
    const std::string_view name = n < g.size() ? node_name(g, n) : std::string_view();
    return "node " + (name.empty() ? std::to_string(n) : quoted_text(name));
}

}  // namespace inlay

#endif
