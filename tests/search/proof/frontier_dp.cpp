// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/proof/frontier_dp.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/cover_cost.hpp>
#include <inlay/search/exhaustive.hpp>

#include "search/random_problem.hpp"
#include "search/wide_problem.hpp"

namespace {

inlay::certificate_prices no_prices(const inlay::problem& p, const inlay::proof_tables& tables) {
    return {std::vector<std::int64_t>(p.nodes, 0), std::vector<std::int64_t>(tables.slots(), 0)};
}

}  // namespace

TEST_CASE("the least of all ways is the cheapest cover, and its states name its candidates") {
    std::size_t found = 0;
    inlay::each_coverable_problem(600, 7, [&](std::uint64_t seed, inlay::problem p) {
        p.acyclic = false;
        const auto best = inlay::exhaustive(p);
        REQUIRE(best);
        if (!best->cost) return;
        const inlay::proof_tables tables(p);
        inlay::proof_prices prices(tables, 20, 1e6);
        std::vector<std::uint8_t> alive(p.candidates.size(), 1);
        const auto nothing = no_prices(p, tables);
        const auto bound = prices.apply(nothing, alive);
        REQUIRE(bound < prices.target());
        inlay::frontier_dp ways(tables, prices);
        ways.prepare(alive, 1'000'000);
        ways.clear();
        ways.begin_with(0, {});
        const auto last = ways.walk(0, p.nodes, prices.target() - bound);
        REQUIRE_MESSAGE(last, "seed " << seed);
        ++found;
        // At the end all is covered and nothing is seen any more.
        CHECK_MESSAGE(ways.states().size() == *last + 1, "seed " << seed);
        CHECK(ways.open(ways.states()[*last]).empty());
        std::vector<inlay::candidate_index> cover;
        for (std::size_t s = *last; s != inlay::frontier_dp::no_state; s = ways.states()[s].before)
            if (ways.states()[s].taken != inlay::frontier_dp::none_taken) cover.push_back(ways.states()[s].taken);
        std::sort(cover.begin(), cover.end());
        const auto cost = inlay::cover_cost(inlay::problem_index(p), cover);
        REQUIRE(cost);
        CHECK_MESSAGE(std::abs(*cost - *best->cost) < 1e-4, "seed " << seed);
        CHECK_MESSAGE(std::abs(std::ldexp(static_cast<double>(bound + ways.states()[*last].above), -20) - *cost) < 1e-4, "seed " << seed);
        // None is as little above the bound as the least is.
        ways.clear();
        ways.begin_with(0, {});
        CHECK_FALSE(ways.walk(0, p.nodes, 0));
    });
    CHECK(found > 200);
}

TEST_CASE("a way that begins with a guess is no dearer than any that it stands for") {
    // A chain of three formats; ways may begin before any node with who covers the one before.
    inlay::random_numbers numbers{5};
    inlay::problem p;
    p.nodes = 30;
    p.formats = 3;
    p.conversions = {0, 3, 4, 2, 0, 5, 3, 3, 0};
    for (inlay::node_id v = 0; v < p.nodes; ++v) {
        for (inlay::format_index f = 0; f < 3; ++f)
            p.candidates.push_back({.nodes = {v}, .cost = 1 + numbers.quarters(9), .backend = f, .in = f, .out = f});
        if (v != 0) p.edges.push_back({v - 1, v});
    }
    const inlay::proof_tables tables(p);
    inlay::proof_prices prices(tables, 20, 1e6);
    std::vector<std::uint8_t> alive(p.candidates.size(), 1);
    const auto nothing = no_prices(p, tables);
    const auto gap = prices.target() - prices.apply(nothing, alive);
    inlay::frontier_dp ways(tables, prices);
    ways.prepare(alive, 1'000'000);
    CHECK(ways.left().size() == p.candidates.size());
    for (inlay::node_id v = 1; v < p.nodes; ++v) {
        ways.clear();
        ways.begin_with(0, {});
        const auto middle = ways.walk(0, v, gap);
        REQUIRE(middle);
        CHECK(ways.states().size() == *middle + 3);
        std::vector<inlay::proof_prices::price> known;
        std::vector<inlay::frontier_dp::entry> open;
        for (std::size_t s = *middle; s < ways.states().size(); ++s) {
            known.push_back(ways.states()[s].above);
            REQUIRE(ways.open(ways.states()[s]).size() == 1);
            open.push_back(ways.open(ways.states()[s])[0]);
        }
        const auto least_of = [&](std::optional<std::size_t> last) {
            REQUIRE(last);
            auto least = ways.states()[*last].above;
            for (std::size_t s = *last; s < ways.states().size(); ++s) least = std::min(least, ways.states()[s].above);
            return least;
        };
        ways.clear();
        for (std::size_t i = 0; i < 3; ++i) ways.begin_with(known[i], std::span(open).subspan(i, 1));
        const auto whole = least_of(ways.walk(v, p.nodes, gap));
        ways.clear();
        ways.begin_with(0, {});
        CHECK(whole == least_of(ways.walk(0, p.nodes, gap)));
        ways.clear();
        std::size_t guesses = 0;
        ways.each_start(v - 1, [&](inlay::candidate_index c) {
            ways.begin_with(*std::min_element(known.begin(), known.end()), c, v - 1, v);
            ++guesses;
        });
        CHECK(guesses == 3);
        CHECK(ways.states().size() == 3);
        CHECK(least_of(ways.walk(v, p.nodes, gap)) <= whole);
    }
}

TEST_CASE("it stops at as many states as it may look at, and goes on when it is told again") {
    const inlay::problem p = inlay::read_by_all_later();
    const inlay::proof_tables tables(p);
    inlay::proof_prices prices(tables, 20, 1e6);
    std::vector<std::uint8_t> alive(p.candidates.size(), 1);
    const auto nothing = no_prices(p, tables);
    const auto gap = prices.target() - prices.apply(nothing, alive);
    inlay::frontier_dp ways(tables, prices);
    ways.prepare(alive, 1000);
    ways.clear();
    ways.begin_with(0, {});
    CHECK_FALSE(ways.walk(0, p.nodes, gap));
    CHECK(ways.is_spent());
    CHECK(ways.looked_at() < 50'000);
    ways.prepare(alive, 1000);
    CHECK_FALSE(ways.is_spent());
    ways.clear();
    ways.begin_with(0, {});
    CHECK(ways.walk(0, 3, gap));
    CHECK_FALSE(ways.is_spent());
}
