// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/proof/proof_cycles.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/cover.hpp>
#include <inlay/search/eager.hpp>
#include <inlay/search/model/acyclicity.hpp>

#include "search/random_problem.hpp"

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
    CHECK(inlay::possible_candidates(tables) == std::vector<std::uint8_t>{1, 1});
    p.edges.push_back({2, 3});
    p.edges.push_back({0, 1});
    p.candidates.push_back({.nodes = {0, 1, 3}});
    const inlay::proof_tables more(p);
    CHECK(inlay::possible_candidates(more) == std::vector<std::uint8_t>{0, 1, 0});
    p.acyclic = false;
    CHECK(inlay::possible_candidates(more) == std::vector<std::uint8_t>{1, 1, 1});
}

TEST_CASE("both questions are answered as the search answers them") {
    std::size_t cycles = 0, returning = 0;
    inlay::each_coverable_problem(1500, 9, [&](std::uint64_t, const inlay::problem& p) {
        const inlay::problem_index index(p);
        const inlay::proof_tables tables(p);
        inlay::problem without_cycles = p;
        without_cycles.acyclic = true;
        const std::vector<std::uint8_t> possible = inlay::possible_candidates(inlay::proof_tables(without_cycles));
        for (inlay::candidate_index c = 0; c < p.candidates.size(); ++c) {
            const std::vector<inlay::candidate_index> alone = {c};
            const bool closes = inlay::close_a_cycle(p, alone);
            CHECK((possible[c] == 0) == closes);
            CHECK(closes == !inlay::find_cycle(index, inlay::owners(index, alone)).empty());
            returning += closes ? 1u : 0u;
        }
        // Large ones first, which close cycles sooner.
        std::vector<inlay::candidate_index> order, some;
        for (inlay::candidate_index c = 0; c < p.candidates.size(); ++c) order.push_back(c);
        std::stable_sort(order.begin(), order.end(), [&](inlay::candidate_index a, inlay::candidate_index b) {
            return tables.members(a).size() > tables.members(b).size();
        });
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

TEST_CASE("many candidates are told apart, until there have been too many steps") {
    // A chain of 400 nodes: two that are no neighbours wait for each other by way of those between.
    inlay::problem p;
    p.nodes = 400;
    for (inlay::node_id v = 1; v < p.nodes; ++v) p.edges.push_back({v - 1, v});
    inlay::random_numbers numbers{3};
    for (int i = 0; i < 1000; ++i) {
        const inlay::node_id a = numbers.below(399), b = a + 1 + numbers.below(std::min(3u, 399 - a));
        p.candidates.push_back({.nodes = {b, a}});
    }
    p.candidates.push_back({.nodes = {0, 399}});
    const inlay::proof_tables tables(p);
    const std::vector<std::uint8_t> possible = inlay::possible_candidates(tables);
    for (std::size_t c = 0; c < possible.size(); ++c)
        CHECK((possible[c] != 0) == (p.candidates[c].nodes[0] == p.candidates[c].nodes[1] + 1));
    const std::vector<std::uint8_t> few = inlay::possible_candidates(tables, 0);
    CHECK(std::count(few.begin(), few.end(), 1) > 900);
}
