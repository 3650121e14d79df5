// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/model/acyclicity.hpp>

#include <algorithm>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/cover.hpp>

#include "search/random_problem.hpp"

namespace {

inlay::problem chain_with(std::vector<std::vector<inlay::node_id>> sets, std::uint32_t nodes, std::vector<inlay::problem_edge> edges) {
    inlay::problem p;
    p.nodes = nodes;
    p.edges = std::move(edges);
    for (auto& s : sets) p.candidates.push_back({std::move(s), 1, 0, 0, 0, {}, {}});
    return p;
}

}  // namespace

TEST_CASE("shapes: what leads around is not convex, what does not lead through is porous") {
    // Two chains 0 -> 2 -> 4 and 1 -> 3 -> 5.
    const auto p = chain_with({{0, 2}, {0, 4}, {2, 3}, {0, 1}, {4, 5}, {0, 1, 2, 3, 4, 5}, {2, 4}}, 6, {{0, 2}, {2, 4}, {1, 3}, {3, 5}});
    const inlay::problem_index index(p);
    const auto shapes = inlay::shapes_of(index);
    using shape = inlay::candidate_shape;
    CHECK(shapes.of == std::vector<shape>{shape::flow_through, shape::not_convex, shape::may_close_cycle, shape::flow_through,
                                          shape::flow_through, shape::flow_through, shape::flow_through});
    CHECK(shapes.dangerous.empty());
    CHECK(inlay::convex_candidates(index) == std::vector<bool>{true, false, true, true, true, true, true});
    inlay::problem free = p;
    free.acyclic = false;
    CHECK(inlay::convex_candidates(inlay::problem_index(free)) == std::vector<bool>(7, true));
}

TEST_CASE("two porous candidates that feed each other are dangerous, a single one never is") {
    // 0 -> 1 and 2 -> 3 with inputs 4.. left out: {0, 3} and {1, 2} need each other.
    const auto p = chain_with({{1, 4}, {2, 3}}, 6, {{0, 1}, {1, 2}, {0, 3}, {3, 4}, {4, 5}, {2, 5}});
    const inlay::problem_index index(p);
    const auto shapes = inlay::shapes_of(index);
    CHECK(shapes.of[0] == inlay::candidate_shape::may_close_cycle);
    CHECK(shapes.of[1] == inlay::candidate_shape::may_close_cycle);
    CHECK(shapes.dangerous == std::vector<inlay::candidate_index>{0, 1});
    const auto one = chain_with({{1, 4}}, 6, p.edges);
    CHECK(inlay::shapes_of(inlay::problem_index(one)).dangerous.empty());
}

TEST_CASE("parts of a cycle are never only flow-through ones, and porous ones on it are known to be dangerous") {
    std::size_t cycles = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        CAPTURE(seed);
        inlay::random_numbers numbers{seed};
        const auto wiring = inlay::topology::random_wiring(12, 4, seed);
        std::vector<std::vector<inlay::node_id>> sets;
        for (int k = 0; k < 30; ++k) {
            std::set<inlay::node_id> nodes;
            const std::uint32_t size = 2 + numbers.below(2);
            while (nodes.size() < size) nodes.insert(numbers.below(wiring.first));
            sets.emplace_back(nodes.begin(), nodes.end());
        }
        const inlay::problem p = chain_with(sets, wiring.first, wiring.second);
        const inlay::problem_index index(p);
        const auto shapes = inlay::shapes_of(index);
        std::vector<inlay::candidate_index> chosen;
        for (inlay::candidate_index c = 0; c < p.candidates.size(); ++c) {
            if (shapes.of[c] == inlay::candidate_shape::not_convex) continue;
            chosen.push_back(c);
            if (inlay::owners(index, chosen).empty()) chosen.pop_back();
        }
        const auto cycle = inlay::find_cycle(index, inlay::owners(index, chosen));
        if (cycle.empty()) continue;
        ++cycles;
        std::size_t dangerous = 0;
        for (const auto c : cycle) dangerous += std::binary_search(shapes.dangerous.begin(), shapes.dangerous.end(), c) ? 1u : 0u;
        CHECK(dangerous >= 2);
    }
    CHECK(cycles > 100);
}
