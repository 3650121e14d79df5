// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/constrained/loads.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "search/all_covers.hpp"

TEST_CASE("the cost as a quantity is the cost, and loads of devices that share out all back ends and formats add up to it") {
    std::size_t looked_at = 0;
    inlay::each_coverable_problem(300, 6, [&](std::uint64_t seed, const inlay::problem& p) {
        const inlay::problem_index index(p);
        const inlay::quantity cost = inlay::cost_as_quantity(p);
        REQUIRE_MESSAGE(inlay::check(cost, p), "seed " << seed);
        std::vector<inlay::quantity> loads;
        for (inlay::backend_id b = 0; b < 3; ++b) {
            std::vector<inlay::format_index> formats;
            for (inlay::format_index f = 0; f < p.formats; ++f)
                if (f % 3 == b) formats.push_back(f);
            loads.push_back(inlay::load_of(p, std::vector<inlay::backend_id>{b}, formats));
            REQUIRE(inlay::check(loads.back(), p));
        }
        for (const auto& cover : inlay::all_covers(index)) {
            ++looked_at;
            CHECK(*inlay::quantity_of(index, cost, cover.chosen) == doctest::Approx(cover.cost).epsilon(1e-12));
            double sum = 0;
            for (const auto& load : loads) sum += *inlay::quantity_of(index, load, cover.chosen);
            CHECK(sum == doctest::Approx(cover.cost).epsilon(1e-12));
        }
    });
    CHECK(looked_at > 3000);
}

TEST_CASE("a load without formats counts no conversions") {
    inlay::problem p;
    p.nodes = 2;
    p.edges = {{0, 1}};
    p.formats = 2;
    p.conversions = inlay::uniform_conversions(2, 8);
    p.candidates = {{.nodes = {0}, .cost = 1}, {.nodes = {1}, .cost = 2, .backend = 1, .in = 1, .out = 1}};
    const inlay::problem_index index(p);
    const std::vector<inlay::candidate_index> cover = {0, 1};
    const std::vector<inlay::backend_id> both = {0, 1}, second = {1};
    const std::vector<inlay::format_index> made = {1};
    CHECK(*inlay::quantity_of(index, inlay::load_of(p, both), cover) == 3);
    CHECK(*inlay::quantity_of(index, inlay::load_of(p, second), cover) == 2);
    CHECK(*inlay::quantity_of(index, inlay::load_of(p, second, made), cover) == 10);
    CHECK(*inlay::quantity_of(index, inlay::load_of(p, {}, {}), cover) == 0);
}
