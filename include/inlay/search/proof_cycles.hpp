// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_CYCLES_HPP
#define INLAY_SEARCH_PROOF_CYCLES_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/search/proof_tables.hpp>

namespace inlay {

/// Whether parts depend on each other in a circle: the given disjoint candidates, and every other node by itself. Then every cover with these
/// candidates has a cycle between parts. O(nodes + edges).
[[nodiscard]] inline bool close_a_cycle(const proof_tables& tables, std::span<const candidate_index> parts) {
    const std::size_t nodes = tables.of().nodes;
    std::vector<node_id> part(nodes);
    for (std::size_t v = 0; v < nodes; ++v) part[v] = static_cast<node_id>(v);
    for (const candidate_index c : parts)
        for (const node_id v : tables.members(c)) part[v] = tables.members(c)[0];
    std::vector<std::vector<node_id>> after(nodes);
    std::vector<std::size_t> waits(nodes, 0);
    for (const problem_edge& e : tables.of().edges) {
        if (part[e.from] == part[e.to]) continue;
        after[part[e.from]].push_back(part[e.to]);
        ++waits[part[e.to]];
    }
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
        for (const node_id next : after[done])
            if (--waits[next] == 0) ready.push_back(next);
    }
    return left != 0;
}

/// Whether a candidate depends on itself by way of nodes outside: then it is in no cover without cycles. O(edges between its nodes).
class returns_to_itself {
public:
    explicit returns_to_itself(const proof_tables& tables) : tables_(&tables), seen_(tables.of().nodes, nobody) {}

    [[nodiscard]] bool operator()(candidate_index c) {
        const auto members = tables_->members(c);
        if (members.size() < 2) return false;
        open_.clear();
        const auto reach = [&](node_id from, bool inside) {
            for (const std::uint32_t edge : tables_->out_of(from)) {
                const node_id to = tables_->of().edges[edge].to;
                if (to > members.back()) break;
                if (tables_->covers(c, to)) {
                    if (!inside) return true;
                } else if (seen_[to] != c) {
                    seen_[to] = c;
                    open_.push_back(to);
                }
            }
            return false;
        };
        for (const node_id v : members) (void)reach(v, true);
        while (!open_.empty()) {
            const node_id at = open_.back();
            open_.pop_back();
            if (reach(at, false)) return true;
        }
        return false;
    }

private:
    static constexpr candidate_index nobody = 0xFFFF'FFFFu;

    const proof_tables* tables_;
    std::vector<candidate_index> seen_;
    std::vector<node_id> open_;
};

/// The candidates that covers may have: where cycles are not allowed, those that close none by themselves.
[[nodiscard]] inline std::vector<std::uint8_t> possible_candidates(const proof_tables& tables) {
    std::vector<std::uint8_t> alive(tables.of().candidates.size(), 1);
    if (!tables.of().acyclic) return alive;
    returns_to_itself returns(tables);
    for (std::size_t c = 0; c < alive.size(); ++c) alive[c] = returns(static_cast<candidate_index>(c)) ? 0 : 1;
    return alive;
}

}  // namespace inlay

#endif
