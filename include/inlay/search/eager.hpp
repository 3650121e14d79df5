// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_EAGER_HPP
#define INLAY_SEARCH_EAGER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <inlay/search/cover.hpp>
#include <inlay/search/model/rows.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay {

namespace detail {

/// Candidates by ascending key, below `keys`; those of equal key as they stood. O(candidates + keys).
template <class Key>
[[nodiscard]] std::vector<candidate_index> by_key(std::span<const candidate_index> order, std::size_t keys, const Key& key) {
    return make_rows<candidate_index>(keys,
                                      [&](auto visit) {
                                          for (const candidate_index c : order) visit(key(c), c);
                                      })
        .items;
}

}  // namespace detail

/// The order in which the eager rule takes candidates unless told otherwise: ascending back end, then index.
[[nodiscard]] inline std::vector<candidate_index> eager_order(const problem& given) {
    std::vector<candidate_index> order(given.candidates.size());
    std::iota(order.begin(), order.end(), candidate_index{0});
    backend_id last = 0;
    for (const problem_candidate& c : given.candidates) last = std::max(last, c.backend);
    const auto backend = [&](candidate_index c) -> std::size_t { return given.candidates[c].backend; };
    // Back ends are numbered from 0, but by whom?
    if (last < order.size() + 1024) return detail::by_key(order, std::size_t{last} + 1, backend);
    std::stable_sort(order.begin(), order.end(), [&](candidate_index a, candidate_index b) { return backend(a) < backend(b); });
    return order;
}

/// The same with one back end's candidates before all others, and large ones before small ones: its fusions, before the parts that they
/// are made of. `usual` is `eager_order`.
[[nodiscard]] inline std::vector<candidate_index> order_for(const problem_index& index, backend_id first,
                                                            std::span<const candidate_index> usual) {
    std::size_t largest = 0;
    for (const candidate_index c : usual) largest = std::max(largest, index.members(c).size());
    return detail::by_key(usual, 2 * (largest + 1), [&](candidate_index c) {
        const std::size_t smallness = largest - index.members(c).size();
        return index.of().candidates[c].backend == first ? smallness : largest + 1 + smallness;
    });
}

/// The candidates that the eager rule takes, ascending: in the order given, each is taken if it is disjoint from those taken and
/// the parts stay acyclic (if the problem asks for that); nodes that are not covered yet count as parts of one node. What is taken
/// may leave nodes uncovered, and may need an impossible conversion.
///
/// A candidate closes a cycle iff one of its parts' ways leads from it to itself through another part; that is looked for from the
/// candidate alone, and no further than the last node from which any part leads back: near its own nodes in nearly every graph,
/// O(nodes + edges) a candidate at worst.
[[nodiscard]] inline std::vector<candidate_index> eager(const problem_index& index, std::span<const candidate_index> order) {
    std::vector<candidate_index> owner(index.nodes(), no_candidate);
    std::vector<candidate_index> taken;
    // `stamp[v] == round`: the walk of this round has been at v; so nothing is cleared between rounds.
    std::vector<std::size_t> stamp(index.nodes(), 0);
    std::size_t round = 0;
    std::vector<node_id> walk;
    // The last node of a part that lies on both sides of the gap after a node: the only way back over that gap.
    std::vector<node_id> back_from(index.nodes(), 0);
    const auto closes_cycle = [&](candidate_index c) {
        const auto members = index.members(c);
        if (members.size() == 1) return false;
        ++round;
        walk.clear();
        node_id horizon = members.back();
        while (back_from[horizon] > horizon) horizon = back_from[horizon];
        const auto reach = [&](node_id v) {
            if (v > horizon || stamp[v] == round) return;
            // Whoever enters a part may leave it anywhere.
            if (owner[v] == no_candidate) {
                stamp[v] = round;
                walk.push_back(v);
                return;
            }
            for (const node_id w : index.members(owner[v])) {
                stamp[w] = round;
                walk.push_back(w);
            }
        };
        for (const node_id v : members) {
            for (const node_id w : index.users(v)) {
                if (!problem_index::has(members, w)) reach(w);
            }
        }
        for (std::size_t next = 0; next < walk.size(); ++next) {
            for (const node_id w : index.users(walk[next])) {
                if (problem_index::has(members, w)) return true;
                reach(w);
            }
        }
        return false;
    };
    for (const candidate_index c : order) {
        const auto members = index.members(c);
        if (std::any_of(members.begin(), members.end(), [&](node_id v) { return owner[v] != no_candidate; })) continue;
        if (index.of().acyclic && closes_cycle(c)) continue;
        for (const node_id v : members) owner[v] = c;
        for (node_id v = members.front(); v < members.back(); ++v) back_from[v] = std::max(back_from[v], members.back());
        taken.push_back(c);
    }
    std::sort(taken.begin(), taken.end());
    return taken;
}

}  // namespace inlay

#endif
