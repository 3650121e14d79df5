// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/constrained/lagrangian_costs.hpp>

#include <algorithm>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/check.hpp>
#include <inlay/search/select.hpp>

#include "search/all_covers.hpp"

TEST_CASE("the cheapest cover of combined prices is the one with the least weighted sum") {
    std::size_t solved = 0, with_items = 0;
    inlay::each_coverable_problem(1200, 6, [&](std::uint64_t seed, const inlay::problem& p) {
        const inlay::problem_index index(p);
        inlay::random_numbers numbers{seed + 31};
        const inlay::quantity a = inlay::random_quantity(p, numbers), b = inlay::random_quantity(p, numbers);
        const std::vector<const inlay::quantity*> both = {&a, &b};
        const inlay::lagrangian_costs prices(index, both);
        const double of_cost = numbers.chance(20) ? 0 : numbers.quarters(4);
        const std::vector<inlay::quantity_weight> weights = {{0, numbers.quarters(4)}, {1, numbers.chance(30) ? 0 : numbers.quarters(3)}};
        const inlay::problem combined = prices(of_cost, weights);
        const auto sound = inlay::check(combined);
        REQUIRE_MESSAGE(sound, "seed " << seed);
        with_items += combined.nodes > p.nodes ? 1u : 0u;
        double best = std::numeric_limits<double>::infinity();
        const auto weigh = [&](const std::vector<inlay::candidate_index>& chosen, double cost) {
            return of_cost * cost + weights[0].weight * (*inlay::quantity_of(index, a, chosen) - a.always) +
                   weights[1].weight * (*inlay::quantity_of(index, b, chosen) - b.always);
        };
        const auto covers = inlay::all_covers(index);
        for (const auto& cover : covers) best = std::min(best, weigh(cover.chosen, cover.cost));
        const inlay::selection found = inlay::select(combined);
        CHECK_MESSAGE(found.cost.has_value() == !covers.empty(), "seed " << seed);
        if (!found.cost) return;
        ++solved;
        CHECK_MESSAGE(*found.cost == doctest::Approx(best).epsilon(1e-9), "seed " << seed);
        std::vector<inlay::candidate_index> chosen;
        for (const auto c : found.chosen)
            if (c < p.candidates.size()) chosen.push_back(c);
        const auto cost = inlay::cover_cost(index, chosen);
        REQUIRE(cost);
        CHECK(weigh(chosen, *cost) == doctest::Approx(best).epsilon(1e-9));
    });
    CHECK(solved > 900);
    CHECK(with_items > 200);
}

TEST_CASE("sums beyond the range are cut off, and stay sound") {
    inlay::problem p;
    p.nodes = 2;
    p.edges = {{0, 1}};
    p.formats = 2;
    p.conversions = {0, 4e299, inlay::impossible, 0};
    p.candidates = {{.nodes = {0}, .cost = 1e299}, {.nodes = {1}, .cost = 1, .in = 1, .out = 1}};
    const inlay::problem_index index(p);
    const inlay::quantity q{.of_candidate = {9e299, 1}, .shared = {{1e299, {0, 1}}}};
    REQUIRE(inlay::check(p));
    REQUIRE(inlay::check(q, p));
    const std::vector<const inlay::quantity*> one = {&q};
    const std::vector<inlay::quantity_weight> weights = {{0, 1e200}};
    const inlay::problem combined = inlay::lagrangian_costs(index, one)(1e300, weights);
    CHECK(inlay::check(combined));
    CHECK(combined.nodes == 3);
    CHECK(combined.conversions[combined.formats] == inlay::impossible);
    CHECK(inlay::select(combined).cost);
}
