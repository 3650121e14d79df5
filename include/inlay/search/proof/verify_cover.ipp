// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_VERIFY_COVER_IPP
#define INLAY_SEARCH_PROOF_VERIFY_COVER_IPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <inlay/search/proof/verify_cover.hpp>

#include <inlay/search/problem.hpp>
#include <inlay/search/proof/proof_cycles.hpp>
#include <inlay/search/proof/proof_order.hpp>

namespace inlay {

cover_report verify_cover(const problem& given, std::span<const candidate_index> chosen) {
    cover_report made;
    const auto fails = [&](std::string why) {
        made.fault = std::move(why);
        return made;
    };
    std::size_t coverable = 0;
    for (const problem_candidate& c : given.candidates) coverable += c.nodes.size();
    if (coverable < given.nodes) return fails("the problem has nodes that no candidate covers.");
    // Parts go by their places in `chosen`.
    constexpr std::uint32_t nobody = 0xFFFF'FFFFu;
    std::vector<std::uint32_t> part(given.nodes, nobody);
    std::vector<format_index> gives(given.nodes, 0);
    for (std::uint32_t at = 0; at < chosen.size(); ++at) {
        const candidate_index c = chosen[at];
        if (c >= given.candidates.size()) return fails("candidate " + std::to_string(c) + " is chosen, and there is none of that number.");
        const problem_candidate& candidate = given.candidates[c];
        for (const node_id v : candidate.nodes) {
            if (part[v] != nobody)
                return fails("node " + std::to_string(v) + " is covered by candidates " + std::to_string(chosen[part[v]]) + " and " +
                             std::to_string(c) + ".");
            part[v] = at;
            gives[v] = candidate.out;
        }
        for (const tensor_format& e : candidate.out_of) gives[e.node] = e.format;
        made.cost += candidate.cost;
    }
    const auto open = std::find(part.begin(), part.end(), nobody);
    if (open != part.end()) return fails("node " + std::to_string(open - part.begin()) + " is not covered.");
    if (given.acyclic && close_a_cycle(given, chosen)) return fails("parts wait for each other in a circle.");

    // What each part wants of others, once for each tensor.
    std::vector<tensor_format> wants;
    wants.reserve(given.edges.size());
    std::vector<std::uint32_t> asked(given.nodes, nobody), excepted(given.nodes, nobody);
    std::vector<format_index> exception(given.nodes, 0);
    const proof_order reads = order_by_row(chosen.size(), given.edges.size(), [&](std::size_t e) { return part[given.edges[e].to]; });
    for (std::uint32_t at = 0; at < chosen.size(); ++at) {
        const problem_candidate& candidate = given.candidates[chosen[at]];
        for (const tensor_format& e : candidate.in_of) {
            excepted[e.node] = at;
            exception[e.node] = e.format;
        }
        for (std::uint32_t i = reads.first[at]; i < reads.first[at + 1]; ++i) {
            const node_id u = given.edges[reads.items[i]].from;
            if (part[u] == at || asked[u] == at) continue;
            asked[u] = at;
            wants.push_back({u, excepted[u] == at ? exception[u] : candidate.in});
        }
    }

    std::vector<const std::vector<double>*> table(given.nodes, &given.conversions);
    for (const node_conversions& own : given.conversions_of) table[own.node] = &own.prices;
    const proof_order order = order_by_row(given.nodes, wants.size(), [&](std::size_t i) { return wants[i].node; });
    std::vector<format_index> wanted;
    for (node_id u = 0; u < given.nodes; ++u) {
        wanted.clear();
        for (std::uint32_t i = order.first[u]; i < order.first[std::size_t{u} + 1]; ++i) wanted.push_back(wants[order.items[i]].format);
        if (given.share_conversions && wanted.size() > 1) {
            std::sort(wanted.begin(), wanted.end());
            wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
        }
        for (const format_index format : wanted)
            if (format != gives[u]) made.cost += (*table[u])[std::size_t{gives[u]} * given.formats + format];
    }
    if (!std::isfinite(made.cost)) return fails("a conversion is needed that is impossible.");
    made.covers = true;
    return made;
}

}  // namespace inlay

#endif
