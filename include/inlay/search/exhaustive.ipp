// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_EXHAUSTIVE_IPP
#define INLAY_SEARCH_EXHAUSTIVE_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <inlay/search/exhaustive.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

outcome<selection> exhaustive(const problem& given) {
    if (given.nodes > exhaustive_nodes) {
        return error{"the problem has " + std::to_string(given.nodes) + " nodes, but plain enumeration takes at most " +
                     std::to_string(exhaustive_nodes) + "; use the exact partitioner."};
    }
    selection best;
    best.marginals.resize(given.candidates.size());
    if (const node_id open = first_uncovered(given); open != no_node) {
        best.uncoverable = open;
        best.reason = "no candidate covers node " + std::to_string(open) + "; give one that does.";
        return best;
    }
    const problem_index index(given);

    // One frame per chosen candidate: its node, and where among that node's candidates the next try starts.
    struct frame {
        node_id node;
        std::size_t next;
    };
    std::vector<candidate_index> chosen;
    std::vector<bool> covered(given.nodes, false);
    std::vector<frame> frames;
    const auto open_frame = [&] {
        node_id v = 0;
        while (v < given.nodes && covered[v]) ++v;
        if (v < given.nodes) {
            frames.push_back({v, 0});
            return;
        }
        const std::optional<double> cost = cover_cost(index, chosen);
        if (cost) {
            for (const candidate_index c : chosen) {
                if (!best.marginals[c] || *cost < *best.marginals[c]) best.marginals[c] = cost;
            }
            if (!best.cost || *cost < *best.cost) {
                best.cost = cost;
                best.chosen = chosen;
            }
        }
    };
    const auto mark = [&](candidate_index c, bool value) {
        for (const node_id v : index.members(c)) covered[v] = value;
    };
    open_frame();
    while (!frames.empty()) {
        frame& top = frames.back();
        const std::size_t depth = frames.size() - 1;
        if (chosen.size() > depth) {
            mark(chosen.back(), false);
            chosen.pop_back();
        }
        if (top.next == index.covering(top.node).size()) {
            frames.pop_back();
            continue;
        }
        const candidate_index c = index.covering(top.node)[top.next++];
        const auto members = index.members(c);
        if (std::any_of(members.begin(), members.end(), [&](node_id v) { return bool{covered[v]}; })) continue;
        if (++best.effort.visited > exhaustive_visits) {
            return error{"the problem has more than " + std::to_string(exhaustive_visits) +
                         " partial covers, which is too many for plain enumeration; use the exact partitioner."};
        }
        mark(c, true);
        chosen.push_back(c);
        open_frame();
    }
    std::sort(best.chosen.begin(), best.chosen.end());
    best.lower_bound = best.cost;
    if (best.cost || given.nodes == 0) {
        best.status = selection_status::optimal;
        if (given.nodes == 0) best.cost = best.lower_bound = 0.0;
    } else {
        best.reason = "no choice of disjoint candidates covers every node with conversions that are possible" +
                      std::string(given.acyclic ? " and without a cycle between parts" : "") + "; give more candidates or conversions.";
    }
    return best;
}

}  // namespace inlay

#endif
