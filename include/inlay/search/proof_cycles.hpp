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
    std::vector<std::size_t> first_after(nodes + 2, 0);
    for (const problem_edge& e : given.edges) {
        if (part[e.from] == part[e.to]) continue;
        ++first_after[std::size_t{part[e.from]} + 2];
        ++waits[part[e.to]];
    }
    for (std::size_t v = 0; v < nodes; ++v) first_after[v + 2] += first_after[v + 1];
    std::vector<node_id> after(first_after.back());
    for (const problem_edge& e : given.edges)
        if (part[e.from] != part[e.to]) after[first_after[std::size_t{part[e.from]} + 1]++] = part[e.to];
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
        for (std::size_t i = first_after[done]; i < first_after[std::size_t{done} + 1]; ++i)
            if (--waits[after[i]] == 0) ready.push_back(after[i]);
    }
    return left != 0;
}

/// Whether a candidate depends on itself by way of nodes outside: then it is in no cover without cycles. O(edges between its nodes). After
/// `most_steps` edges, of all candidates together, it says no.
class returns_to_itself {
public:
    explicit returns_to_itself(const proof_tables& tables, std::size_t most_steps = 200'000'000)
        : tables_(&tables), left_(most_steps), inside_(tables.of().nodes, nobody), seen_(tables.of().nodes, nobody) {}

    [[nodiscard]] bool operator()(candidate_index c) {
        const auto members = tables_->members(c);
        if (members.size() < 2) return false;
        for (const node_id v : members) inside_[v] = c;
        open_.clear();
        for (const node_id v : members)
            for (const proof_tables::arc& out : tables_->out_of(v)) {
                if (out.other > members.back() || left_ == 0) break;
                --left_;
                if (inside_[out.other] != c) reach(out.other, c);
            }
        while (!open_.empty()) {
            const node_id at = open_.back();
            open_.pop_back();
            for (const proof_tables::arc& out : tables_->out_of(at)) {
                if (out.other > members.back() || left_ == 0) break;
                --left_;
                if (inside_[out.other] == c) return true;
                reach(out.other, c);
            }
        }
        return false;
    }

private:
    static constexpr candidate_index nobody = 0xFFFF'FFFFu;

    void reach(node_id v, candidate_index c) {
        if (seen_[v] == c) return;
        seen_[v] = c;
        open_.push_back(v);
    }

    const proof_tables* tables_;
    std::size_t left_;
    std::vector<candidate_index> inside_, seen_;
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
