// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BENCHMARKS_SEARCH_DIJKSTRA_HPP
#define INLAY_BENCHMARKS_SEARCH_DIJKSTRA_HPP

#include <cstddef>
#include <optional>
#include <vector>

#include <inlay/search/problem.hpp>

namespace bench {

/// What a walk over covered sets found; `chosen` is empty and `cost` none where it took more than `most_states`.
struct covered_set_walk {
    std::optional<double> cost;
    std::vector<inlay::candidate_index> chosen;
    /// Covered sets that were reached.
    std::size_t states = 0;
};

/// The cheapest cover by Dijkstra's algorithm over sets of covered nodes, as TVM's Collage partitioner searches: from a set, the first
/// node that is open in dependency order is covered next, by every candidate whose first node it is and whose nodes are open.
///
/// It knows one cost for a candidate and nothing else: no formats and no conversions between them, whether shared or not, and it
/// does not see that parts may wait for each other. What it finds is the optimum of the problem without these; with them, it may
/// be dear or no cover at all. The number of sets grows with the width of the graph, not with its treewidth.
[[nodiscard]] covered_set_walk walk_covered_sets(const inlay::problem& given, std::size_t most_states);

}  // namespace bench

#endif
