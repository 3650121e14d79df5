// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PARTITION_VERIFY_HPP
#define INLAY_PARTITION_VERIFY_HPP

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/graph/shown_node.hpp>
#include <inlay/partition/partition.hpp>

namespace inlay {

/// One law of a partition, and whether it holds; where it does not, which node or part breaks it.
struct law_check {
    std::string law;
    bool holds = true;
    std::string witness;
};

/// Re-checks the laws of a partition from the graph alone, with plain walks that share nothing with the search or with `partition`:
/// every node is covered once, each composite lies in one part of its owner, regions are convex, the graph of parts has no cycle, the
/// order is runnable, a conversion stands on an edge exactly where the formats of its ends differ. O(parts × (nodes + edges)).
template <graph G>
[[nodiscard]] std::vector<law_check> verify(const G& g, const candidate_set& set, const partitioned& cut) {
    std::vector<law_check> laws;
    const auto law = [&](std::string name) -> law_check& { return laws.emplace_back(law_check{std::move(name), true, {}}); };
    const auto broken = [](law_check& l, std::string witness) {
        if (l.holds) l.witness = std::move(witness);
        l.holds = false;
    };
    constexpr std::size_t nobody = static_cast<std::size_t>(-1);

    std::vector<std::size_t> part_of(g.size(), nobody), times(g.size(), 0);
    {
        law_check& l = law("every node is covered exactly once");
        for (std::size_t p = 0; p < cut.parts.size(); ++p)
            for (const std::size_t c : cut.parts[p].composites)
                for (const node_id n : set.candidates[c].nodes) {
                    ++times[n];
                    part_of[n] = p;
                }
        for (const node_id n : set.to_cover)
            if (times[n] != 1) broken(l, shown_node(g, n) + " is covered " + std::to_string(times[n]) + " times");
    }
    {
        law_check& l = law("every composite belongs to its part's owner, and the part has exactly its composites' nodes");
        for (std::size_t p = 0; p < cut.parts.size(); ++p) {
            std::set<node_id> nodes;
            for (const std::size_t c : cut.parts[p].composites) {
                if (set.candidates[c].backend != cut.parts[p].owner) broken(l, "part " + std::to_string(p));
                nodes.insert(set.candidates[c].nodes.begin(), set.candidates[c].nodes.end());
            }
            if (!std::equal(nodes.begin(), nodes.end(), cut.parts[p].nodes.begin(), cut.parts[p].nodes.end()))
                broken(l, "part " + std::to_string(p));
        }
    }
    {
        // Forward reachability from what leaves the set, restricted to outside nodes: coming back inside breaks convexity.
        law_check& l = law("every composite's region and every part is convex");
        const auto check = [&](const std::vector<node_id>& nodes, const std::string& what) {
            std::vector<char> inside(g.size(), 0), tainted(g.size(), 0);
            for (const node_id n : nodes) inside[n] = 1;
            for (node_id n = 0; n < g.size(); ++n)
                for (std::size_t i = 0; i < g.arity(n); ++i) {
                    const node_id from = g.operand(n, i);
                    if (inside[n] == 0 && (inside[from] != 0 || tainted[from] != 0)) tainted[n] = 1;
                    if (inside[n] != 0 && tainted[from] != 0) broken(l, what + " at " + shown_node(g, n));
                }
        };
        for (std::size_t p = 0; p < cut.parts.size(); ++p) {
            check(cut.parts[p].nodes, "part " + std::to_string(p));
            for (const std::size_t c : cut.parts[p].composites)
                if (set.candidates[c].nodes.size() > 1) check(set.candidates[c].nodes, "composite " + std::string(set.candidates[c].name));
        }
    }
    {
        law_check& l = law("parts run in an order without cycles: each reads only what earlier parts made");
        for (node_id n = 0; n < g.size(); ++n)
            for (std::size_t i = 0; i < g.arity(n); ++i) {
                const std::size_t from = part_of[g.operand(n, i)];
                if (part_of[n] != nobody && from != nobody && from > part_of[n])
                    broken(l, shown_node(g, n) + " reads part " + std::to_string(from));
            }
    }
    {
        law_check& l = law("a conversion stands on an edge exactly where the formats of its ends differ");
        std::map<node_id, format> made;
        std::set<conversion> needed;
        for (const part& p : cut.parts)
            for (const std::size_t c : p.composites)
                for (std::size_t i = 0; i < set.candidates[c].results.size(); ++i)
                    made[set.candidates[c].results[i]] = set.candidates[c].formats.results[i];
        const auto reads = [&](node_id n, const format& f) {
            const auto at = made.find(n);
            const format have = at == made.end() ? plain_format(f.element) : at->second;
            if (have != f) needed.insert({n, have, f});
        };
        for (const part& p : cut.parts)
            for (const std::size_t c : p.composites)
                for (std::size_t i = 0; i < set.candidates[c].inputs.size(); ++i)
                    reads(set.candidates[c].inputs[i], set.candidates[c].formats.inputs[i]);
        for (const node_id n : results_of(g))
            if (const auto at = made.find(n); at != made.end()) reads(n, plain_format(at->second.element));
        if (!std::equal(needed.begin(), needed.end(), cut.conversions.begin(), cut.conversions.end()))
            broken(l, std::to_string(needed.size()) + " conversions are needed and " + std::to_string(cut.conversions.size()) +
                          " stand there");
    }
    return laws;
}

}  // namespace inlay

#endif
