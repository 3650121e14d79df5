// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_MATCH_MATCH_HPP
#define INLAY_PATTERN_MATCH_MATCH_HPP

#include <optional>
#include <utility>
#include <vector>

#include <inlay/core/sorted_list.hpp>
#include <inlay/pattern/dsl/concepts.hpp>
#include <inlay/pattern/match/matcher.hpp>

namespace inlay {

/// The node in the slot of each of the names that a pattern binds; `no_node` where the match took an alternative without it.
template <class Names>
struct captured_nodes {
    using names = Names;

    node_id bound[Names::size + 1];

    captured_nodes() {
        for (node_id& slot : bound) slot = no_node;
    }
    explicit captured_nodes(std::span<const node_id> nodes) : captured_nodes() {
        for (std::size_t i = 0; i < nodes.size() && i < Names::size; ++i) bound[i] = nodes[i];
    }

    template <fixed_string Name>
    [[nodiscard]] node_id at() const {
        static_assert(Names::slot(Name.view()) != Names::none, "inlay: this pattern binds no capture of that name");
        return bound[Names::slot(Name.view())];
    }
};

/// Where a pattern matched: the nodes that its terms stand on (ascending, each once) and what each capture is bound to.
template <pattern P>
struct match_result {
    using names = typename P::binds;

    node_id root = no_node;
    std::vector<node_id> nodes;
    captured_nodes<names> captures;

    /// The node bound to a name; `no_node` where the match took an alternative without it.
    template <fixed_string Name>
    [[nodiscard]] node_id at() const {
        return captures.template at<Name>();
    }
};

/// Calls `use(match_result<P>)` for every match of the pattern rooted at the node, in the order in which alternatives and operand
/// orders are written, until it returns true. Two ways to the same nodes and captures are two matches. Who asks at many roots keeps a
/// `matcher`.
template <pattern P, graph G, class Use>
void for_each_match(P p, const G& g, const user_lists& users, node_id root, Use&& use) {
    matcher<G> m(g, users);
    m.each(view_of(p), root, [&](const found_match& found) {
        match_result<P> result{root, {found.covered.begin(), found.covered.end()}, captured_nodes<typename P::binds>(found.bound)};
        sort_unique(result.nodes);
        return static_cast<bool>(use(std::move(result)));
    });
}

/// The first match of the pattern rooted at the node.
template <pattern P, graph G>
[[nodiscard]] std::optional<match_result<P>> match(P p, const G& g, const user_lists& users, node_id root) {
    std::optional<match_result<P>> first;
    for_each_match(p, g, users, root, [&](match_result<P>&& m) {
        first = std::move(m);
        return true;
    });
    return first;
}

}  // namespace inlay

#endif
