// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/select_repeated.hpp>

#include <doctest/doctest.h>

#include <inlay/search/cover_cost.hpp>
#include <inlay/search/select.hpp>

#include "repeated_problem.hpp"

TEST_CASE("the cover found by one stretch costs what the search through all of them finds") {
    std::size_t with = 0, with_views = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        inlay::problem p = inlay::random_repeated_problem(seed, 9 + static_cast<std::uint32_t>(seed % 12));
        const inlay::problem_index index(p);
        const auto unit = inlay::scaling::for_total(inlay::largest_price(index));
        const auto found = inlay::select_by_repeats(index, unit, {1e7});
        if (!found) continue;
        ++with;
        with_views += index.users(0).size() > 3 ? 1u : 0u;
        REQUIRE(inlay::covers_once(index, found->around));
        const auto cost = inlay::cover_cost(index, found->around);
        if (p.acyclic && !inlay::find_cycle(index, inlay::owners(index, found->around)).empty()) {
            p.acyclic = false;
            const inlay::problem_index again(p);
            REQUIRE(inlay::cover_cost(again, found->around));
            CHECK(*inlay::cover_cost(again, found->around) == doctest::Approx(unit.back(found->cost)).epsilon(1e-12));
            continue;
        }
        REQUIRE(cost);
        CHECK(*cost == doctest::Approx(unit.back(found->cost)).epsilon(1e-12));
        const inlay::selection flat = inlay::select(p);
        REQUIRE(flat.status == inlay::selection_status::optimal);
        CHECK(*cost == doctest::Approx(*flat.cost).epsilon(1e-12));
    }
    CHECK(with > 150);
    CHECK(with_views > 20);
}

TEST_CASE("a million stretches take what a few take") {
    // Two nodes a stretch: one costs 1 in format 0 or 2 in format 1, the other 3 in format 0 or 1 in format 1; turning a tensor costs 0.5.
    inlay::problem shown;
    shown.nodes = 2 * inlay::shown_stretches;
    shown.formats = 2;
    shown.conversions = inlay::uniform_conversions(2, 0.5);
    for (inlay::node_id v = 0; v < shown.nodes; ++v) {
        if (v > 0) shown.edges.push_back({v - 1, v});
        shown.candidates.push_back({.nodes = {v}, .cost = v % 2 == 0 ? 1.0 : 3.0});
        shown.candidates.push_back({.nodes = {v}, .cost = v % 2 == 0 ? 2.0 : 1.0, .in = 1, .out = 1});
    }
    const inlay::problem_index index(shown);
    const inlay::repeat million{0, 2, 1'000'000};
    const auto found = inlay::select_repeated(index, million, inlay::scaling::for_total(1e7), {1e6});
    REQUIRE(found);
    // All in format 1 costs 3 a stretch; turning back and forth 1 + 0.5 + 1 + 0.5, the last time not back.
    CHECK(found->unit.back(found->cost) == 1'000'000 * 3.0 - 0.5);
    CHECK(found->way_of.size() == 1'000'000 - 3);
    CHECK(found->ways.size() <= 4);
    for (const auto& way : found->ways) CHECK(way.size() == 2);
}
