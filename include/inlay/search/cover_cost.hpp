// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_COVER_COST_HPP
#define INLAY_SEARCH_COVER_COST_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/search/cover.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay {

namespace detail {

/// Calls `visit(node, from, to)` for every conversion that a cover pays, nodes ascending and, for one node, wanted formats (shared) or
/// reading candidates (not shared) ascending. Conversions that are not needed are not named.
template <class Visit>
void each_conversion(const problem_index& index, std::span<const candidate_index> owner, const Visit& visit) {
    std::vector<candidate_index> readers;
    std::vector<format_index> wanted;
    for (std::size_t i = 0; i < index.nodes(); ++i) {
        const auto u = static_cast<node_id>(i);
        readers.clear();
        for (const node_id v : index.users(u)) {
            if (owner[v] != owner[u]) readers.push_back(owner[v]);
        }
        if (readers.empty()) continue;
        std::sort(readers.begin(), readers.end());
        readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
        wanted.clear();
        for (const candidate_index reader : readers) wanted.push_back(problem_index::format_in(index.reads(reader), u));
        if (index.of().share_conversions) {
            std::sort(wanted.begin(), wanted.end());
            wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
        }
        const format_index stands_in = problem_index::format_in(index.gives(owner[u]), u);
        for (const format_index g : wanted) {
            if (g != stands_in) visit(u, stands_in, g);
        }
    }
}

/// Calls `visit(price)` for everything that a cover pays, in index order: candidates ascending, then conversions as `each_conversion` names
/// them.
template <class Visit>
void each_price(const problem_index& index, std::span<const candidate_index> chosen, std::span<const candidate_index> owner,
                const Visit& visit) {
    std::vector<candidate_index> ascending(chosen.begin(), chosen.end());
    std::sort(ascending.begin(), ascending.end());
    for (const candidate_index c : ascending) visit(index.of().candidates[c].cost);
    each_conversion(index, owner, [&](node_id u, format_index f, format_index g) { visit(index.conversion(u, f, g)); });
}

}  // namespace detail

/// What a set of candidates costs by the definition of `problem`: none if it does not cover every node once, needs an impossible
/// conversion, or, where the problem asks for acyclic parts, has a cycle between parts. The doubles are added up in index order,
/// see `detail::each_price`. O(nodes + edges + reads log reads).
[[nodiscard]] inline std::optional<double> cover_cost(const problem_index& index, std::span<const candidate_index> chosen) {
    if (!covers_once(index, chosen)) return std::nullopt;
    const std::vector<candidate_index> owner = owners(index, chosen);
    if (index.of().acyclic && !find_cycle(index, owner).empty()) return std::nullopt;
    double total = 0;
    detail::each_price(index, chosen, owner, [&](double part) { total += part; });
    if (!std::isfinite(total)) return std::nullopt;
    return total;
}

}  // namespace inlay

#endif
