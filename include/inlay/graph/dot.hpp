// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_DOT_HPP
#define INLAY_GRAPH_DOT_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include <inlay/graph/concepts.hpp>

namespace inlay {

namespace detail {
inline std::string dot_quoted(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '\n') {
            quoted += "\\n";
            continue;
        }
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + "\"";
}
}  // namespace detail

/// The graph in Graphviz's language, operands above their users. `label(n)` gives the text of a node, lines separated by `\n`; a node
/// whose label is empty is left out. Constants and parameters are drawn as ellipses. Linear.
template <graph G, class Label>
[[nodiscard]] std::string dot_text(const G& g, Label&& label) {
    std::string nodes, edges;
    std::vector<char> drawn(g.size());
    for (node_id n = 0; n < g.size(); ++n) {
        const std::string text = label(n);
        if (text.empty()) continue;
        drawn[n] = 1;
        const node_kind k = kind_of(g, n);
        nodes += "  n" + std::to_string(n) + " [label=" + detail::dot_quoted(text) +
                 (k == node_kind::input || k == node_kind::constant ? ", shape=ellipse];\n" : "];\n");
        for (std::size_t i = 0; i < g.arity(n); ++i)
            if (drawn[g.operand(n, i)] != 0) edges += "  n" + std::to_string(g.operand(n, i)) + " -> n" + std::to_string(n) + ";\n";
    }
    return "digraph program {\n  node [shape=box];\n" + nodes + edges + "}\n";
}

}  // namespace inlay

#endif
