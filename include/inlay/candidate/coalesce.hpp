// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_COALESCE_HPP
#define INLAY_CANDIDATE_COALESCE_HPP

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/candidate/partition_rule.hpp>
#include <inlay/candidate/quotient.hpp>
#include <inlay/candidate/subgraph_limits.hpp>
#include <inlay/core/id.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/sorted_list.hpp>

namespace inlay {

/// A proposal that was chosen for a back end.
struct owned_subgraph {
    ruled_subgraph chosen;
    backend_id owner = 0;

    friend bool operator<(const owned_subgraph& a, const owned_subgraph& b) { return a.chosen.part < b.chosen.part; }
};

/// Joins neighbours of one owner: two of which one reads from the other, as long as the union is valid within the limits and all parts
/// together stay acyclic; again until nothing more can be joined, in the order of their first nodes. No node comes to be in two parts.
/// Every part is joined at most once per neighbour that it gains, and each question is linear in the graph at worst. The result
/// stands in the order of subgraphs. The price of a union is not the sum of what was joined: price it anew.
/// The errors: two of the chosen overlap; some of them read from each other in a cycle.
[[nodiscard]] inline outcome<std::vector<owned_subgraph>> coalesce(const dataflow& flow, std::vector<owned_subgraph> chosen,
                                                                   const subgraph_limits& most = {0, true, 0}) {
    sort_list(chosen);
    std::vector<std::size_t> taken(flow.size());
    std::vector<node_set> sets;
    for (const owned_subgraph& c : chosen) {
        sets.push_back(c.chosen.part.nodes());
        for (const node_id n : sets.back()) {
            if (taken[n] != 0)
                return error{"node " + std::to_string(n) + " is in " + to_string(sets[taken[n] - 1]) + " and in " + to_string(sets.back()) +
                             "; choose parts that do not overlap"};
            taken[n] = sets.size();
        }
    }
    quotient parts(flow, sets);
    if (!parts.is_acyclic())
        return error{"the chosen parts read from each other in a cycle; choose parts that can run one after the other"};

    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t up = 0; up < chosen.size(); ++up) {
            if (parts.group(up) != up) continue;
            for (const std::size_t down : parts.readers(up)) {
                owned_subgraph &a = chosen[up], &b = chosen[down];
                if (a.owner != b.owner || parts.has_path_around(up, down)) continue;
                outcome<subgraph> both = disjoint_union(flow, a.chosen.part, b.chosen.part);
                if (!both || !validity_of(flow, *both, most)) continue;
                a.chosen.part = *std::move(both);
                a.chosen.rule = joined_rules(std::move(a.chosen.rule), b.chosen.rule);
                a.chosen.is_free = a.chosen.is_free && b.chosen.is_free;
                parts.merge(up, down);
                changed = true;
            }
        }
    }
    std::vector<owned_subgraph> joined;
    for (std::size_t p = 0; p < chosen.size(); ++p)
        if (parts.group(p) == p) joined.push_back(std::move(chosen[p]));
    sort_list(joined);
    return joined;
}

}  // namespace inlay

#endif
