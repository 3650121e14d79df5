// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_COVER_HPP
#define INLAY_SEARCH_COVER_HPP

#include <cstddef>
#include <span>
#include <vector>

#include <inlay/search/problem_index.hpp>

namespace inlay {

/// Stands where a node is in no chosen candidate.
inline constexpr candidate_index no_candidate = 0xFFFF'FFFFu;

/// The chosen candidate of each node, `no_candidate` where there is none; empty if some node is in two of them, or an index is
/// out of range. O(nodes + chosen nodes).
[[nodiscard]] inline std::vector<candidate_index> owners(const problem_index& index, std::span<const candidate_index> chosen) {
    std::vector<candidate_index> owner(index.nodes(), no_candidate);
    for (const candidate_index c : chosen) {
        if (c >= index.candidates()) return {};
        for (const node_id v : index.members(c)) {
            if (owner[v] != no_candidate) return {};
            owner[v] = c;
        }
    }
    return owner;
}

/// Whether every node is in exactly one of the chosen candidates.
[[nodiscard]] inline bool covers_once(const problem_index& index, std::span<const candidate_index> chosen) {
    std::size_t covered = 0;
    for (const candidate_index c : chosen) covered += c < index.candidates() ? index.members(c).size() : 0;
    return covered == index.nodes() && owners(index, chosen).size() == index.nodes();
}

/// The parts on one dependency cycle between parts, in the order in which they feed each other; empty if there is none. Nodes
/// that are not covered are parts of one node and are left out of the answer. `owner` is as `owners` gives it.
/// O(nodes + edges).
[[nodiscard]] inline std::vector<candidate_index> find_cycle(const problem_index& index, std::span<const candidate_index> owner) {
    // A part is named by its candidate's first node, so that parts and nodes share one numbering.
    const std::size_t n = index.nodes();
    const auto part = [&](node_id v) { return owner[v] == no_candidate ? v : index.members(owner[v])[0]; };
    const auto members = [&](const node_id& p) {
        return owner[p] == no_candidate ? std::span<const node_id>(&p, 1) : index.members(owner[p]);
    };
    std::vector<std::size_t> waiting(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const auto u = static_cast<node_id>(i);
        for (const node_id v : index.users(u)) waiting[part(v)] += part(u) != part(v) ? 1u : 0u;
    }
    std::vector<node_id> ready;
    std::vector<bool> done(n, false);
    std::size_t parts = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto p = static_cast<node_id>(i);
        if (part(p) != p) continue;
        ++parts;
        if (waiting[p] == 0) ready.push_back(p);
    }
    for (std::size_t next = 0; next < ready.size(); ++next) {
        const node_id p = ready[next];
        done[p] = true;
        for (const node_id u : members(p)) {
            for (const node_id v : index.users(u)) {
                if (part(v) != p && --waiting[part(v)] == 0) ready.push_back(part(v));
            }
        }
    }
    if (ready.size() == parts) return {};

    // Every part that is left waits for another one that is left: walking backwards must close a cycle.
    node_id at = 0;
    while (part(at) != at || done[at]) ++at;
    std::vector<bool> seen(n, false);
    std::vector<node_id> path;
    while (!seen[at]) {
        seen[at] = true;
        path.push_back(at);
        const node_id here = at;
        for (const node_id v : members(here)) {
            for (const node_id u : index.producers(v)) {
                if (part(u) != here && !done[part(u)]) at = part(u);
            }
        }
    }
    std::vector<candidate_index> cycle;
    std::size_t from = 0;
    while (path[from] != at) ++from;
    for (std::size_t i = path.size(); i-- > from;) {
        if (owner[path[i]] != no_candidate) cycle.push_back(owner[path[i]]);
    }
    return cycle;
}

}  // namespace inlay

#endif
