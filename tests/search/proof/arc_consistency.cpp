// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/proof/arc_consistency.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/exhaustive.hpp>

#include "search/random_problem.hpp"

TEST_CASE("a reader that nobody can serve is dropped, and then who would have given to it") {
    inlay::problem p;
    p.nodes = 3;
    p.edges = {{0, 1}, {1, 2}};
    p.formats = 2;
    p.conversions = {0, inlay::impossible, 1, 0};
    p.candidates.resize(5);
    p.candidates[0] = {.nodes = {0}, .out = 0};
    p.candidates[1] = {.nodes = {1}, .in = 1, .out = 1};
    p.candidates[2] = {.nodes = {1}, .in = 0, .out = 0};
    p.candidates[3] = {.nodes = {2}, .in = 1};
    p.candidates[4] = {.nodes = {2}, .in = 0};
    const inlay::proof_tables tables(p);
    inlay::arc_consistency partners(tables);
    CHECK(partners.matter());
    std::vector<std::uint8_t> alive(5, 1);
    partners(alive);
    CHECK(alive == std::vector<std::uint8_t>{1, 0, 1, 0, 1});
}

TEST_CASE("what is dropped is in no cover") {
    std::size_t dropped = 0;
    inlay::each_coverable_problem(800, 7, [&](std::uint64_t seed, const inlay::problem& p) {
        const inlay::proof_tables tables(p);
        inlay::arc_consistency partners(tables);
        std::vector<std::uint8_t> alive(p.candidates.size(), 1);
        partners(alive);
        const auto all = inlay::exhaustive(p);
        REQUIRE(all);
        if (!all->cost) return;
        for (std::size_t c = 0; c < alive.size(); ++c) {
            if (alive[c] != 0) continue;
            ++dropped;
            CHECK_MESSAGE(!all->marginals[c], "seed " << seed << " candidate " << c);
        }
    });
    CHECK(dropped > 50);
}
