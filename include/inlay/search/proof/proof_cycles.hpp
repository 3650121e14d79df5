// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_PROOF_CYCLES_HPP
#define INLAY_SEARCH_PROOF_PROOF_CYCLES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/search/proof/proof_order.hpp>
#include <inlay/search/proof/proof_tables.hpp>

namespace inlay {

/// Whether parts of a valid problem depend on each other in a circle: the given disjoint candidates, and every other node by itself. Then
/// every cover with these candidates has a cycle between parts. O(nodes + edges).
[[nodiscard]] inline bool close_a_cycle(const problem& given, std::span<const candidate_index> parts) {
    const std::size_t nodes = given.nodes;
    // A part goes by one of its nodes.
    std::vector<node_id> part(nodes);
    for (std::size_t v = 0; v < nodes; ++v) part[v] = static_cast<node_id>(v);
    for (const candidate_index c : parts)
        for (const node_id v : given.candidates[c].nodes) part[v] = given.candidates[c].nodes[0];
    std::vector<std::uint32_t> waits(nodes, 0);
    for (const problem_edge& e : given.edges) waits[part[e.to]] += part[e.from] != part[e.to] ? 1u : 0u;
    const proof_order after = order_by_row(nodes, given.edges.size(), [&](std::size_t e) { return part[given.edges[e].from]; });
    std::vector<node_id> ready;
    std::size_t left = 0;
    for (std::size_t v = 0; v < nodes; ++v) {
        if (part[v] != v) continue;
        ++left;
        if (waits[v] == 0) ready.push_back(static_cast<node_id>(v));
    }
    while (!ready.empty()) {
        const node_id done = ready.back();
        ready.pop_back();
        --left;
        for (std::uint32_t i = after.first[done]; i < after.first[std::size_t{done} + 1]; ++i) {
            const node_id next = part[given.edges[after.items[i]].to];
            if (next != done && --waits[next] == 0) ready.push_back(next);
        }
    }
    return left != 0;
}

/// The candidates that covers may have: where cycles are not allowed, those that do not depend on themselves by way of nodes outside.
/// O(edges between the nodes of 64 candidates, for each 64 of them in order of their first nodes). After `most_steps` the others may stay.
[[nodiscard]] inline std::vector<std::uint8_t> possible_candidates(const proof_tables& tables, std::size_t most_steps = 400'000'000) {
    std::vector<std::uint8_t> alive(tables.of().candidates.size(), 1);
    const std::vector<candidate_index>& several = tables.entered();
    if (!tables.of().acyclic || several.empty()) return alive;
    const proof_order wide = order_by_row(tables.of().nodes, several.size(), [&](std::size_t i) { return tables.members(several[i])[0]; });
    // By node, a bit each: the candidates that it is in, and those outside which it is and on which it depends.
    std::vector<std::uint64_t> inside(tables.of().nodes, 0), behind(tables.of().nodes, 0);
    std::size_t steps = 0;
    for (std::size_t first = 0; first < several.size() && steps <= most_steps; first += 64) {
        const std::size_t count = std::min<std::size_t>(64, several.size() - first);
        const auto at = [&](std::size_t i) { return several[wide.items[first + i]]; };
        const node_id low = tables.members(at(0))[0];
        node_id high = low;
        for (std::size_t i = 0; i < count; ++i)
            for (const node_id v : tables.members(at(i))) {
                inside[v] |= std::uint64_t{1} << i;
                high = std::max(high, v);
            }
        std::uint64_t returning = 0;
        behind[low] = 0;
        for (node_id v = low + 1; v <= high; ++v) {
            const auto into = tables.into(v);
            std::uint64_t outside = 0, direct = 0;
            for (std::size_t i = into.size(); i-- > 0 && into[i].other >= low;) {
                outside |= behind[into[i].other];
                direct |= inside[into[i].other];
            }
            returning |= outside & inside[v];
            behind[v] = (outside | direct) & ~inside[v];
            steps += 1 + into.size();
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (((returning >> i) & 1u) != 0) alive[at(i)] = 0;
            for (const node_id v : tables.members(at(i))) inside[v] = 0;
        }
    }
    return alive;
}

}  // namespace inlay

#endif
