// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_MODEL_CANDIDATE_BOUNDS_HPP
#define INLAY_SEARCH_MODEL_CANDIDATE_BOUNDS_HPP

#include <algorithm>
#include <cstddef>
#include <vector>

#include <inlay/search/deadline.hpp>
#include <inlay/search/exact/elimination_order.hpp>
#include <inlay/search/exact/exact.hpp>
#include <inlay/search/model/acyclicity.hpp>
#include <inlay/search/model/cover_network.hpp>
#include <inlay/search/model/fixed_cost.hpp>
#include <inlay/search/model/make_cover_network.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// For each candidate of a problem that `check` accepts a number below which no cover with it costs, `impossible` where there is none (but
/// for what adding up doubles in another order is off by): by one elimination, in which cycles between parts are not looked at. Empty where
/// that takes more than the limit, the tables of the model included in what is kept, or some node is in no candidate.
[[nodiscard]] inline std::vector<double> candidate_bounds(const problem& given, const elimination_limit& tables, const deadline& end) {
    if (given.nodes == 0 || first_uncovered(given) != no_node) return {};
    const problem_index index(given);
    const std::vector<bool> admitted = convex_candidates(index);
    if (first_uncovered(index, admitted) != no_node) return {};
    const scaling unit = scaling::for_total(largest_price(index));
    const cover_network covers = make_cover_network(index, unit, admitted, tables.kept);
    if (covers.too_large) return {};
    search_effort effort;
    exact_search search(index, covers, unit, tables, end, effort);
    const std::vector<fixed_cost> least = search.marginals();
    if (least.empty()) return {};
    const double error = unit.error_of(static_cast<double>(index.nodes() + given.edges.size()));
    std::vector<double> made(index.candidates(), impossible);
    for (std::size_t c = 0; c < made.size(); ++c) {
        const candidate_index stands = covers.representative[c];
        if (stands == no_candidate || least[stands] >= beyond_reach) continue;
        // The same nodes in the same formats: only the candidates' own costs differ.
        made[c] = std::max(0.0, unit.back(least[stands]) - error + (given.candidates[c].cost - given.candidates[stands].cost));
    }
    return made;
}

}  // namespace inlay

#endif
