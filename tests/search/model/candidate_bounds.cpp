// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/model/candidate_bounds.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/exhaustive.hpp>

#include "search/random_problem.hpp"

TEST_CASE("no cover with a candidate is cheaper than its bound, and without cycles some is as cheap") {
    const inlay::deadline infinite_cost({}, nullptr);
    std::size_t bounds_met = 0, none = 0;
    inlay::each_coverable_problem(500, 7, [&](std::uint64_t seed, const inlay::problem& p) {
        const auto all = inlay::exhaustive(p);
        REQUIRE(all);
        const std::vector<double> bounds = inlay::candidate_bounds(p, {2e7}, infinite_cost);
        if (bounds.empty()) {
            CHECK(p.acyclic);
            return;
        }
        REQUIRE(bounds.size() == p.candidates.size());
        for (std::size_t c = 0; c < bounds.size(); ++c) {
            if (!all->marginals[c]) {
                ++none;
                if (!p.acyclic) CHECK(bounds[c] == inlay::impossible);
                continue;
            }
            CHECK_MESSAGE(bounds[c] <= *all->marginals[c] * (1 + 1e-12), "seed " << seed);
            if (p.acyclic) continue;
            ++bounds_met;
            CHECK_MESSAGE(bounds[c] == doctest::Approx(*all->marginals[c]).epsilon(1e-9), "seed " << seed);
        }
    });
    CHECK(bounds_met > 500);
    CHECK(none > 20);
    inlay::problem p;
    CHECK(inlay::candidate_bounds(p, {2e7}, infinite_cost).empty());
    p.nodes = 1;
    CHECK(inlay::candidate_bounds(p, {2e7}, infinite_cost).empty());
    p.candidates = {{.nodes = {0}, .cost = 1}, {.nodes = {0}, .cost = 2}};
    CHECK(inlay::candidate_bounds(p, {2e7}, infinite_cost).size() == 2);
    CHECK(inlay::candidate_bounds(p, {0}, infinite_cost).size() <= 2);
}

TEST_CASE("where the tables of the model would take more than may be kept there are no bounds") {
    inlay::problem p;
    p.nodes = 2;
    p.edges = {{0, 1}};
    constexpr std::uint32_t formats = 40;
    p.formats = formats;
    p.conversions = inlay::uniform_conversions(formats, 1);
    for (inlay::node_id v = 0; v < 2; ++v)
        for (inlay::format_index f = 0; f < formats; ++f) p.candidates.push_back({.nodes = {v}, .cost = 1.0 + f % 3, .in = f, .out = f});
    const inlay::deadline infinite_cost({}, nullptr);
    CHECK(inlay::candidate_bounds(p, {2e7, 2000}, infinite_cost).size() == 2 * formats);
    CHECK(inlay::candidate_bounds(p, {2e7, 1000}, infinite_cost).empty());
}
