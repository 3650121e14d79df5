// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_EAGER_PRIORITY_HPP
#define INLAY_PLAN_EAGER_PRIORITY_HPP

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <span>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/plan/selection_problem.hpp>
#include <inlay/search/problem.hpp>

namespace inlay {

/// The order in which the eager rule takes the candidates of a problem: free ones, then by back end in the user's order, composite in
/// table order, root from the results to the inputs, and of one match the format tuple that its back end lists first. `backends` has all
/// that have candidates, most preferred first.
[[nodiscard]] inline std::vector<candidate_index> eager_priority(const candidate_set& set, const selection_problem& stated,
                                                                 std::span<const std::size_t> backends) {
    std::map<std::size_t, std::size_t> rank;
    for (std::size_t i = 0; i < backends.size(); ++i) rank[backends[i]] = i;
    std::vector<candidate_index> order(stated.numbers.candidates.size());
    std::iota(order.begin(), order.end(), candidate_index{0});
    std::stable_sort(order.begin(), order.end(), [&](candidate_index a, candidate_index b) {
        const std::size_t x = stated.candidate_of[a], y = stated.candidate_of[b];
        if (x == selection_problem::none || y == selection_problem::none)
            return x == selection_problem::none && y != selection_problem::none;
        const candidate &p = set.candidates[x], &q = set.candidates[y];
        if (p.backend != q.backend) return rank.at(p.backend) < rank.at(q.backend);
        if (p.composite != q.composite) return p.composite < q.composite;
        return p.root > q.root;
    });
    return order;
}

}  // namespace inlay

#endif
