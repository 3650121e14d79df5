// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/proof_remainder.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/cover_cost.hpp>
#include <inlay/search/exhaustive.hpp>

#include "random_problem.hpp"

TEST_CASE("without any prices it finds the cheapest cover, or that none is below the bound") {
    std::size_t found = 0;
    inlay::each_coverable_problem(900, 7, [&](std::uint64_t seed, inlay::problem p) {
        p.acyclic = false;
        const auto best = inlay::exhaustive(p);
        REQUIRE(best);
        const inlay::proof_tables tables(p);
        const inlay::certificate_prices nothing{std::vector<std::int64_t>(p.nodes, 0), std::vector<std::int64_t>(tables.slots(), 0)};
        const auto look = [&](double bound, std::vector<inlay::candidate_index>* cover) {
            inlay::proof_prices prices(tables, 20, bound);
            inlay::proof_remainder remainder(tables, prices);
            std::vector<std::uint8_t> alive(p.candidates.size(), 1);
            if (prices.apply(nothing, alive) >= prices.target()) return inlay::proof_remainder::verdict::no_cover;
            const auto verdict = remainder(alive, 1'000'000);
            if (cover != nullptr) *cover = remainder.cover();
            return verdict;
        };
        if (!best->cost) {
            CHECK_MESSAGE(look(1e6, nullptr) == inlay::proof_remainder::verdict::no_cover, "seed " << seed);
            return;
        }
        if (*best->cost == 0) return;
        ++found;
        std::vector<inlay::candidate_index> cover;
        CHECK_MESSAGE(look(*best->cost * (1 - 1e-4), nullptr) == inlay::proof_remainder::verdict::no_cover, "seed " << seed);
        CHECK_MESSAGE(look(*best->cost * (1 + 1e-4) + 1e-3, &cover) == inlay::proof_remainder::verdict::cover, "seed " << seed);
        const inlay::problem_index index(p);
        const auto cost = inlay::cover_cost(index, cover);
        REQUIRE(cost);
        CHECK_MESSAGE(*cost <= *best->cost * (1 + 1e-4) + 1e-3, "seed " << seed);
    });
    CHECK(found > 300);
}

TEST_CASE("it stops at as many states as it may look at") {
    inlay::problem p = inlay::random_small_problem(11, 7);
    for (std::uint64_t seed = 12; inlay::first_uncovered(p) != inlay::no_node || p.nodes < 6; ++seed) p = inlay::random_small_problem(seed, 7);
    const inlay::proof_tables tables(p);
    inlay::proof_prices prices(tables, 20, 1e6);
    inlay::proof_remainder remainder(tables, prices);
    std::vector<std::uint8_t> alive(p.candidates.size(), 1);
    const inlay::certificate_prices nothing{std::vector<std::int64_t>(p.nodes, 0), std::vector<std::int64_t>(tables.slots(), 0)};
    prices.apply(nothing, alive);
    CHECK(remainder(alive, 2) == inlay::proof_remainder::verdict::too_many_states);
}
