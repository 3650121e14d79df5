// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/model/dominated.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/check.hpp>
#include <inlay/search/exhaustive.hpp>
#include <inlay/search/model/acyclicity.hpp>

#include "search/random_problem.hpp"

namespace {

using inlay::candidate_index;

/// Which candidates smaller ones can stand in for.
std::vector<bool> dominated(const inlay::problem& given) {
    const inlay::problem_index index(given);
    const std::vector<bool> admitted = inlay::convex_candidates(index);
    inlay::dominance is_dominated(index, admitted);
    std::vector<bool> made;
    for (std::size_t c = 0; c < admitted.size(); ++c) made.push_back(admitted[c] && is_dominated(static_cast<candidate_index>(c)));
    return made;
}

}  // namespace

TEST_CASE("a candidate is dominated where smaller ones in its formats cost less, conversions between them included") {
    inlay::problem p;
    p.nodes = 2;
    p.edges = {{0, 1}};
    p.formats = 2;
    p.conversions = inlay::uniform_conversions(2, 3);
    p.candidates.resize(5);
    p.candidates[0] = {.nodes = {0}, .cost = 2};
    p.candidates[1] = {.nodes = {1}, .cost = 2};
    p.candidates[2] = {.nodes = {0, 1}, .cost = 4.25};
    p.candidates[3] = {.nodes = {0, 1}, .cost = 4};
    p.candidates[4] = {.nodes = {1}, .cost = 0.25, .in = 1, .out = 1};
    CHECK(dominated(p) == std::vector<bool>{false, false, true, false, false});
    p.candidates[1].in = 1;
    CHECK(dominated(p) == std::vector<bool>{false, false, false, false, false});
    p.candidates[2].cost = 7.25;
    CHECK(dominated(p) == std::vector<bool>{false, false, true, false, false});
}

TEST_CASE("a tensor that several parts read is dearer than for one where each pays for itself") {
    inlay::problem p;
    p.nodes = 3;
    p.edges = {{0, 1}, {0, 2}, {1, 2}};
    p.formats = 2;
    p.conversions = inlay::uniform_conversions(2, 3);
    p.candidates = {{.nodes = {0}, .cost = 1}, {.nodes = {1}, .cost = 1}, {.nodes = {2}, .cost = 1}, {.nodes = {1, 2}, .cost = 2.25}};
    CHECK(dominated(p) == std::vector<bool>{false, false, false, true});
    p.share_conversions = false;
    CHECK(dominated(p) == std::vector<bool>{false, false, false, false});
    p.candidates[3].cost = 5.25;
    CHECK(dominated(p) == std::vector<bool>{false, false, false, true});
}

TEST_CASE("parts that would wait for each other do not stand in for one that may not be on a cycle") {
    // 0 -> 1 and 2 -> 3, with {0, 3} and {1, 2} in place of all four: each reads from the other.
    inlay::problem p;
    p.nodes = 4;
    p.edges = {{0, 1}, {2, 3}};
    p.candidates = {{.nodes = {0, 1, 2, 3}, .cost = 5}, {.nodes = {0, 3}, .cost = 1}, {.nodes = {1, 2}, .cost = 1}};
    CHECK(dominated(p) == std::vector<bool>{false, false, false});
    p.acyclic = false;
    CHECK(dominated(p) == std::vector<bool>{true, false, false});
}

TEST_CASE("without dominated candidates the cheapest cover costs the same") {
    std::size_t found = 0;
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        CAPTURE(seed);
        const inlay::problem p = inlay::random_small_problem(seed, 6);
        if (inlay::first_uncovered(p) != inlay::no_node) continue;
        const std::vector<bool> out = dominated(p);
        inlay::problem rest = p;
        rest.candidates.clear();
        for (std::size_t c = 0; c < out.size(); ++c)
            if (!out[c]) rest.candidates.push_back(p.candidates[c]);
        if (rest.candidates.size() == p.candidates.size()) continue;
        found += p.candidates.size() - rest.candidates.size();
        REQUIRE(inlay::first_uncovered(rest) == inlay::no_node);
        const auto all = inlay::exhaustive(p), some = inlay::exhaustive(rest);
        REQUIRE(all);
        REQUIRE(some);
        CHECK(all->status == some->status);
        CHECK(all->cost.value_or(-1) == doctest::Approx(some->cost.value_or(-1)).epsilon(1e-12));
    }
    CHECK(found > 500);
}
