// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_MODEL_COVER_NETWORK_HPP
#define INLAY_SEARCH_MODEL_COVER_NETWORK_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <inlay/search/model/cost_network.hpp>
#include <inlay/search/model/rows.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay {

/// Covering a problem, but for cycles between parts, as a pairwise model.
///
/// Variable v < nodes says which candidate covers node v. That a candidate covers all its nodes or none is local: along each edge
/// inside it, and along links between its components, both ends agree. A candidate's cost is paid at its nodes, in equal shares: from
/// there dual ascent starts well. A conversion is paid along its edge where one node alone reads the tensor, or each reading part
/// pays for itself.
///
/// Where parts share a conversion, a value says besides in which formats the node's tensor is made ready, and pays for them; a
/// reader needs its own among them. So all remains pairwise over the graph's own edges, and exact because prices are not negative.
/// Where the sets of formats are too many, auxiliary variables of the tensor stand for them instead, a few formats each.
/// `make_cover_network` makes it.
struct cover_network {
    cost_network m;
    std::size_t nodes = 0;
    /// Row v: the candidate that each value of variable v < nodes means, ascending; several values may mean the same one.
    rows<candidate_index> meaning;
    /// Row v: the formats in which each value has the tensor ready, one bit for each that the model tells apart at this node.
    rows<std::uint32_t> ready;
    /// For each auxiliary variable, from variable `nodes` on, a node that it is about: first those of tensors, ascending, then those of
    /// cuts.
    std::vector<node_id> auxiliary_of;
    /// For each candidate the one that stands for it: itself, the cheapest with the same nodes and formats, or `no_candidate` if
    /// it was not admitted.
    std::vector<candidate_index> representative;
    /// Entries of all tables, or more than the limit that they were given: then the tables are not all there.
    double entries = 0;
    bool too_large = false;

    /// The values of variable v that mean candidate c: from `first`, up to but without `second`.
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> values_of(node_id v, candidate_index c) const {
        const auto row = meaning[v];
        const auto [first, last] = std::equal_range(row.begin(), row.end(), c);
        return {static_cast<std::uint32_t>(first - row.begin()), static_cast<std::uint32_t>(last - row.begin())};
    }
};

/// The variables along the nodes; an auxiliary variable stands after the node that it is about.
[[nodiscard]] inline std::vector<std::uint32_t> order_along_nodes(const cover_network& covers) {
    std::vector<std::uint32_t> order(covers.m.variables());
    std::iota(order.begin(), order.end(), 0u);
    const auto node = [&](std::uint32_t variable) {
        return variable < covers.nodes ? variable : covers.auxiliary_of[variable - covers.nodes];
    };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) { return node(x) < node(y); });
    return order;
}

/// The most that any cover can cost; finite for a valid problem.
[[nodiscard]] inline double largest_price(const problem_index& index) {
    std::vector<double> dearest_from(index.nodes(), 0);
    double total = 0;
    for (std::size_t c = 0; c < index.candidates(); ++c) {
        double& dearest = dearest_from[index.members(static_cast<candidate_index>(c))[0]];
        dearest = std::max(dearest, index.of().candidates[c].cost);
    }
    for (const double d : dearest_from) total += d;
    const auto dearest_in = [](const std::vector<double>& prices) {
        double dearest = 0;
        for (const double p : prices) dearest = std::isfinite(p) ? std::max(dearest, p) : dearest;
        return dearest;
    };
    std::vector<double> dearest_of(index.nodes(), dearest_in(index.of().conversions));
    for (const node_conversions& own : index.of().conversions_of) dearest_of[own.node] = dearest_in(own.prices);
    for (const problem_edge& e : index.of().edges) total += dearest_of[e.from];
    return total;
}

}  // namespace inlay

#endif
