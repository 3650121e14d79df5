// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/proof_cycles.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/acyclicity.hpp>
#include <inlay/search/cover.hpp>
#include <inlay/search/eager.hpp>

#include "random_problem.hpp"

TEST_CASE("parts that wait for each other close a cycle") {
    inlay::problem p;
    p.nodes = 4;
    p.edges = {{0, 2}, {1, 3}};
    p.candidates.resize(2);
    p.candidates[0] = {.nodes = {0, 3}};
    p.candidates[1] = {.nodes = {1, 2}};
    const inlay::proof_tables tables(p);
    const std::vector<inlay::candidate_index> both = {0, 1}, one = {0};
    CHECK(inlay::close_a_cycle(p, both));
    CHECK_FALSE(inlay::close_a_cycle(p, one));
    inlay::returns_to_itself returns(tables);
    CHECK_FALSE(returns(0));
    p.edges.push_back({2, 3});
    p.edges.push_back({0, 1});
    p.candidates.push_back({.nodes = {0, 1, 3}});
    const inlay::proof_tables more(p);
    inlay::returns_to_itself now(more);
    CHECK(now(0));
    CHECK(now(2));
    CHECK_FALSE(now(1));
    // With no steps left, it is not known.
    inlay::returns_to_itself idle(more, 0);
    CHECK_FALSE(idle(0));
}

TEST_CASE("both questions are answered as the search answers them") {
    std::size_t cycles = 0, returning = 0;
    inlay::each_coverable_problem(1500, 9, [&](std::uint64_t, const inlay::problem& p) {
        const inlay::problem_index index(p);
        const inlay::proof_tables tables(p);
        inlay::returns_to_itself returns(tables);
        for (inlay::candidate_index c = 0; c < p.candidates.size(); ++c) {
            const std::vector<inlay::candidate_index> alone = {c};
            const bool closes = inlay::close_a_cycle(p, alone);
            CHECK(returns(c) == closes);
            CHECK(closes == !inlay::find_cycle(index, inlay::owners(index, alone)).empty());
            returning += closes ? 1u : 0u;
        }
        // Large ones first, which close cycles sooner.
        std::vector<inlay::candidate_index> order, some;
        for (inlay::candidate_index c = 0; c < p.candidates.size(); ++c) order.push_back(c);
        std::stable_sort(order.begin(), order.end(), [&](inlay::candidate_index a, inlay::candidate_index b) { return tables.members(a).size() > tables.members(b).size(); });
        for (const inlay::candidate_index c : order) {
            bool apart = true;
            for (const inlay::candidate_index other : some)
                for (const inlay::node_id v : tables.members(other)) apart = apart && !tables.covers(c, v);
            if (apart) some.push_back(c);
        }
        const bool closes = inlay::close_a_cycle(p, some);
        CHECK(closes == !inlay::find_cycle(index, inlay::owners(index, some)).empty());
        cycles += closes ? 1u : 0u;
    });
    CHECK(cycles > 20);
    CHECK(returning > 20);
}
