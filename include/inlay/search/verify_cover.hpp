// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_VERIFY_COVER_HPP
#define INLAY_SEARCH_VERIFY_COVER_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <inlay/search/proof_cycles.hpp>
#include <inlay/search/proof_tables.hpp>

namespace inlay {

/// What candidates of a problem are worth as a cover, told without any code of the search.
struct cover_report {
    /// Whether every node is covered once, no cycle between parts is where none may be, and every conversion is possible; and one sentence for
    /// the first of these that is not so.
    bool covers = false;
    std::string fault;
    /// What the cover costs, by the definition of `problem`.
    double cost = 0;
};

/// Checks a cover of a problem that `check` accepts. The candidates may come from anybody. O(size of the problem).
[[nodiscard]] inline cover_report verify_cover(const problem& given, std::span<const candidate_index> chosen) {
    cover_report made;
    const auto fails = [&](std::string why) {
        made.fault = std::move(why);
        return made;
    };
    if (!proof_tables::fit(given)) return fails("the problem has nodes that no candidate covers, or too many borders between candidates to be checked.");
    const proof_tables tables(given);
    constexpr candidate_index nobody = 0xFFFF'FFFFu;
    std::vector<candidate_index> owner(given.nodes, nobody);
    for (const candidate_index c : chosen) {
        if (c >= given.candidates.size()) return fails("candidate " + std::to_string(c) + " is chosen, and there is none of that number.");
        for (const node_id v : tables.members(c)) {
            if (owner[v] != nobody) return fails("node " + std::to_string(v) + " is covered by candidates " + std::to_string(owner[v]) + " and " + std::to_string(c) + ".");
            owner[v] = c;
        }
        made.cost += given.candidates[c].cost;
    }
    const auto open = std::find(owner.begin(), owner.end(), nobody);
    if (open != owner.end()) return fails("node " + std::to_string(open - owner.begin()) + " is not covered.");
    if (given.acyclic && close_a_cycle(tables, chosen)) return fails("parts wait for each other in a circle.");

    std::vector<format_index> wanted;
    for (node_id u = 0; u < given.nodes; ++u) {
        wanted.clear();
        for (const std::uint32_t edge : tables.out_of(u)) {
            const candidate_index reader = owner[given.edges[edge].to];
            if (reader == owner[u]) continue;
            for (const std::uint32_t slot : tables.reads(reader))
                if (tables.edge_of(slot) == edge && tables.format_of(slot) != proof_tables::read_before) wanted.push_back(tables.format_of(slot));
        }
        if (given.share_conversions) {
            std::sort(wanted.begin(), wanted.end());
            wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
        }
        for (const proof_tables::gift& gift : tables.gifts(owner[u])) {
            const proof_tables::given_format& at = tables.given_at(gift.given);
            for (const format_index format : wanted)
                if (at.node == u && at.format != format) made.cost += tables.conversion(u, at.format, format);
        }
    }
    if (!std::isfinite(made.cost)) return fails("a conversion is needed that is impossible.");
    made.covers = true;
    return made;
}

}  // namespace inlay

#endif
