// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_MATCH_HPP
#define INLAY_PATTERN_MATCH_HPP

#include <optional>
#include <utility>
#include <vector>

#include <inlay/core/sorted_list.hpp>
#include <inlay/pattern/concepts.hpp>

namespace inlay {

/// Where a pattern matched: the nodes that its operators stand on (ascending, each once) and what each capture is bound to.
template <pattern P>
struct match_result {
    using names = typename P::binds;

    node_id root = no_node;
    std::vector<node_id> nodes;
    match_state<typename P::binds> captures;

    /// The node bound to a name; `no_node` where the match took an alternative without it.
    template <fixed_string Name>
    [[nodiscard]] node_id at() const {
        return captures.template at<Name>();
    }
};

/// Calls `use(match_result<P>)` for every match of the pattern rooted at the node, in the order in which alternatives and operand
/// orders are written, until it returns true. Two ways to the same nodes and captures are two matches.
template <pattern P, graph G, class Use>
void for_each_match(P, const G& g, const user_lists& users, node_id root, Use&& use) {
    const match_context<G> context{g, users};
    match_state<typename P::binds> state;
    const auto found = [&] {
        match_result<P> result{root, state.covered, state};
        sort_unique(result.nodes);
        return static_cast<bool>(use(std::move(result)));
    };
    P::match(context, root, state, match_next(found));
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
