// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_REPRESENTATIVES_HPP
#define INLAY_SEARCH_REPRESENTATIVES_HPP

#include <algorithm>
#include <compare>
#include <cstddef>
#include <span>
#include <vector>

#include <inlay/search/cover.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay::detail {

/// For each admitted candidate the cheapest, then first, with the same nodes in the same formats.
[[nodiscard]] inline std::vector<candidate_index> representatives(const problem_index& index,
                                                                  const std::vector<bool>& admitted) {
    const auto cost = [&](candidate_index c) { return index.of().candidates[c].cost; };
    std::vector<candidate_index> order;
    for (std::size_t c = 0; c < index.candidates(); ++c) {
        if (admitted[c]) order.push_back(static_cast<candidate_index>(c));
    }
    const auto by_nodes = [&](candidate_index a, candidate_index b) {
        const auto x = index.members(a);
        const auto y = index.members(b);
        return std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(), y.end());
    };
    const auto by_format = [](std::span<const tensor_format> x, std::span<const tensor_format> y) {
        return std::lexicographical_compare_three_way(
            x.begin(), x.end(), y.begin(), y.end(),
            [](const tensor_format& s, const tensor_format& t) { return s.format <=> t.format; });
    };
    const auto compare = [&](candidate_index a, candidate_index b) {
        std::strong_ordering o = by_nodes(a, b);
        if (o == 0) o = by_format(index.reads(a), index.reads(b));
        if (o == 0) o = by_format(index.gives(a), index.gives(b));
        return o;
    };
    std::sort(order.begin(), order.end(), [&](candidate_index a, candidate_index b) {
        const std::strong_ordering o = compare(a, b);
        if (o != 0) return o < 0;
        return cost(a) != cost(b) ? cost(a) < cost(b) : a < b;
    });
    std::vector<candidate_index> standing(index.candidates(), no_candidate);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool same = i > 0 && compare(order[i - 1], order[i]) == 0;
        standing[order[i]] = same ? standing[order[i - 1]] : order[i];
    }
    return standing;
}

}  // namespace inlay::detail

#endif
