// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/proof/proof_prices.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/exhaustive.hpp>

#include "search/random_problem.hpp"

TEST_CASE("no cover costs less than the bound and the slack of its candidates, whatever the prices") {
    std::size_t covers = 0;
    inlay::each_coverable_problem(1200, 7, [&](std::uint64_t seed, const inlay::problem& p) {
        const auto best = inlay::exhaustive(p);
        REQUIRE(best);
        if (!best->cost) return;
        const inlay::proof_tables tables(p);
        inlay::random_numbers numbers{seed};
        for (int i = 0; i < 10; ++i) {
            constexpr int exponent = 16;
            // A bound that no cover reaches, so that nothing is dropped for its cost.
            inlay::proof_prices prices(tables, exponent, 1e6, i % 2 == 0 ? std::size_t{1} << 13 : 0);
            inlay::certificate_prices sheet;
            for (std::size_t v = 0; v < p.nodes; ++v)
                sheet.of_node.push_back(static_cast<std::int64_t>(numbers.below(1 << 19)) - (1 << 17));
            for (std::size_t s = 0; s < tables.slots(); ++s)
                sheet.of_reader.push_back(static_cast<std::int64_t>(numbers.below(1 << 19)) - (1 << 18));
            REQUIRE(prices.reads(sheet));
            std::vector<std::uint8_t> alive(p.candidates.size(), 1);
            std::int64_t least = prices.apply(sheet, alive);
            CHECK(least == prices.bound());
            for (const inlay::candidate_index c : best->chosen) {
                CHECK(alive[c] == 1);
                CHECK(prices.slack(c) >= 0);
                least += prices.slack(c);
            }
            CHECK_MESSAGE(static_cast<double>(least) <= std::ldexp(*best->cost, exponent) + 1e-3, "seed " << seed);
            CHECK_FALSE(prices.too_large());
            ++covers;
        }
    });
    CHECK(covers > 5000);
}

TEST_CASE("prices that say all there is give the cost itself, and drop what is dearer") {
    inlay::problem p;
    p.nodes = 3;
    p.edges = {{0, 1}, {0, 2}};
    p.formats = 2;
    p.conversions = {0, 4, 4, 0};
    p.candidates.resize(4);
    p.candidates[0] = {.nodes = {0}, .cost = 1};
    p.candidates[1] = {.nodes = {1}, .cost = 1, .in = 1};
    p.candidates[2] = {.nodes = {2}, .cost = 1, .in = 1};
    p.candidates[3] = {.nodes = {0}, .cost = 9, .out = 1};
    const inlay::proof_tables tables(p);
    inlay::proof_prices prices(tables, 4, 7);
    std::vector<std::uint8_t> alive(4, 1);
    // Both readers share one conversion of 4: each is charged half.
    CHECK(prices.target() == 7 * 16);
    // Readers that are charged less: what is missing is charged to who gives.
    CHECK(prices.apply({{32, 48, 32}, {32, 16}}, alive) == 7 * 16);
    alive.assign(4, 1);
    // Readers that are charged more than there is to pay get it back.
    CHECK(prices.apply({{16, 48, 48}, {32, 64}}, alive) == 7 * 16);
    // A node that pays more than its cheapest candidate takes gets it back.
    alive.assign(4, 1);
    CHECK(prices.apply({{80, 48, 48}, {32, 32}}, alive) == 7 * 16);
    alive.assign(4, 1);
    CHECK(prices.apply({{16, 48, 48}, {32, 32}}, alive) == 7 * 16);
    CHECK(alive == std::vector<std::uint8_t>{0, 0, 0, 0});
    CHECK_FALSE(prices.reads({{16, 48}, {32, 32}}));
    CHECK_FALSE(prices.reads({{16, 48, 48}, {32, inlay::proof_prices::largest}}));
}

TEST_CASE("sums that leave the range are noticed") {
    inlay::problem p;
    p.nodes = 40;
    for (inlay::node_id v = 0; v < p.nodes; ++v) p.candidates.push_back({.nodes = {v}, .cost = 1});
    const inlay::proof_tables tables(p);
    inlay::proof_prices prices(tables, 4, 40);
    std::vector<std::uint8_t> alive(40, 1);
    inlay::certificate_prices sheet{std::vector<std::int64_t>(40, inlay::proof_prices::largest - 1), {}};
    for (std::size_t v = 0; v < 40; v += 2) sheet.of_node[v] = 1;
    prices.apply(sheet, alive);
    CHECK_FALSE(prices.too_large());
    p.candidates.clear();
    p.candidates.push_back({.nodes = {}, .cost = 1});
    for (inlay::node_id v = 0; v < p.nodes; ++v) p.candidates[0].nodes.push_back(v);
    const inlay::proof_tables one(p);
    inlay::proof_prices all(one, 4, 40);
    alive.assign(1, 1);
    for (std::int64_t& price : sheet.of_node) price = inlay::proof_prices::largest - 1;
    all.apply(sheet, alive);
    CHECK(all.too_large());
}

TEST_CASE("what is told roughly is said to be") {
    // Two readers that may want either of two formats.
    inlay::problem p;
    p.nodes = 3;
    p.edges = {{0, 1}, {0, 2}};
    p.formats = 2;
    p.conversions = inlay::uniform_conversions(2, 1);
    for (inlay::node_id v = 0; v < p.nodes; ++v)
        for (inlay::format_index f = 0; f < 2; ++f) p.candidates.push_back({.nodes = {v}, .cost = 1, .backend = f, .in = f, .out = f});
    for (const bool share : {true, false}) {
        p.share_conversions = share;
        const inlay::proof_tables tables(p);
        const inlay::certificate_prices nothing{std::vector<std::int64_t>(p.nodes, 0), std::vector<std::int64_t>(tables.slots(), 0)};
        for (const std::size_t most_of_sets : {0u, 1u}) {
            inlay::proof_prices prices(tables, 4, 100, most_of_sets);
            std::vector<std::uint8_t> alive(p.candidates.size(), 1);
            CHECK(prices.apply(nothing, alive) == 3 * 16);
            CHECK(prices.told_roughly() == (share && most_of_sets == 0));
        }
    }
}
