// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/proof/verify_cover.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/cover_cost.hpp>

#include "search/random_problem.hpp"

TEST_CASE("it says of any candidates what the search says of them") {
    std::size_t covers = 0, none = 0;
    inlay::each_coverable_problem(2500, 5, [&](std::uint64_t seed, const inlay::problem& p) {
        const inlay::problem_index index(p);
        inlay::random_numbers numbers{seed};
        for (int i = 0; i < 12; ++i) {
            std::vector<inlay::candidate_index> chosen;
            std::vector<bool> covered(p.nodes, false);
            for (inlay::node_id v = 0; v < p.nodes; ++v) {
                if (covered[v] && !numbers.chance(3)) continue;
                const auto covering = index.covering(v);
                const inlay::candidate_index c = covering[numbers.below(static_cast<std::uint32_t>(covering.size()))];
                chosen.push_back(c);
                for (const inlay::node_id w : index.members(c)) covered[w] = true;
            }
            const auto cost = inlay::cover_cost(index, chosen);
            const inlay::cover_report report = inlay::verify_cover(p, chosen);
            CHECK_MESSAGE(report.covers == cost.has_value(), "seed " << seed << ": " << report.fault);
            CHECK(report.fault.empty() == report.covers);
            if (cost) CHECK(report.cost == doctest::Approx(*cost).epsilon(1e-12));
            ++(cost ? covers : none);
        }
    });
    CHECK(covers > 2000);
    CHECK(none > 2000);
}

TEST_CASE("what is no cover is told in a sentence") {
    inlay::problem p;
    p.nodes = 2;
    p.edges = {{0, 1}};
    p.formats = 2;
    p.conversions = {0, inlay::impossible, 1, 0};
    p.candidates.resize(3);
    p.candidates[0] = {.nodes = {0}, .cost = 1};
    p.candidates[1] = {.nodes = {1}, .cost = 1, .in = 1};
    p.candidates[2] = {.nodes = {0, 1}, .cost = 1};
    const auto fault = [&](std::vector<inlay::candidate_index> chosen) { return inlay::verify_cover(p, chosen).fault; };
    CHECK(fault({0}) == "node 1 is not covered.");
    CHECK(fault({0, 2}) == "node 0 is covered by candidates 0 and 2.");
    CHECK(fault({0, 3}) == "candidate 3 is chosen, and there is none of that number.");
    CHECK(fault({0, 1}) == "a conversion is needed that is impossible.");
    CHECK(fault({2}).empty());
}
