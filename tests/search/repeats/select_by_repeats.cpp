// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/repeats/select_by_repeats.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/check.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/select.hpp>

#include "search/repeated_problem.hpp"

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

namespace {

/// Nodes t, v, y, z a stretch: t reads the last y and goes from one of four formats to the next, which y gives on; v reads the last y and
/// node 2 in the format of that y; z reads v and t. Node 2 is cheap only within a part that covers a v as well.
inlay::problem four_formats_in_turn(std::uint32_t count) {
    inlay::problem p;
    p.nodes = 6 + 4 * count;
    p.formats = 5;
    p.acyclic = false;
    p.conversions = inlay::uniform_conversions(5, inlay::impossible);
    p.edges = {{0, 2}, {1, 2}, {2, 4}, {0, 3}, {3, 5}};
    p.candidates = {{.nodes = {0}, .cost = 1, .in = 1, .out = 1},    {.nodes = {1}, .cost = 1, .in = 1, .out = 1},
                    {.nodes = {2}, .cost = 1000, .in = 1, .out = 0}, {.nodes = {3}, .cost = 7, .in = 1, .out = 0},
                    {.nodes = {4}, .cost = 1, .in = 0, .out = 1},    {.nodes = {5}, .cost = 9}};
    std::vector<double> own = p.conversions;
    for (std::size_t g = 1; g < 5; ++g) own[g] = 0.25;
    p.conversions_of.push_back({2, own});
    for (std::uint32_t i = 0; i < count; ++i) {
        const inlay::node_id t = 6 + 4 * i, v = t + 1, y = t + 2, z = t + 3;
        const bool is_last = i + 1 == count;
        for (const inlay::problem_edge e : {inlay::problem_edge{y - 4, t}, {t, y}, {y - 4, v}, {v, z}, {t, z}}) p.edges.push_back(e);
        if (!is_last) p.edges.push_back({2, v});
        for (inlay::format_index s = 1; s < 5; ++s) {
            p.candidates.push_back({.nodes = {t}, .cost = 1, .in = s == 1 ? 4 : s - 1, .out = s});
            p.candidates.push_back({.nodes = {t}, .cost = 4, .in = s, .out = s});
            p.candidates.push_back({.nodes = {y}, .cost = 1, .in = s, .out = s});
            p.candidates.push_back({.nodes = {v}, .cost = 1, .in = s, .out = 0});
            if (!is_last) p.candidates.push_back({.nodes = {v}, .cost = 4, .in = s, .out = 0, .in_of = {{2, 1}}});
            p.candidates.push_back({.nodes = {z}, .cost = 1, .in = s, .in_of = {{v, 0}}});
        }
        p.candidates.push_back({.nodes = {t - 4, y - 4, v}, .cost = 0.5, .in = 1, .out = 0, .out_of = {{y - 4, 1}}});
    }
    return p;
}

}  // namespace

TEST_CASE("a tensor outside that has few other readers in what is shown can be made ready in all formats") {
    const inlay::problem p = four_formats_in_turn(20);
    REQUIRE(inlay::check(p));
    const inlay::problem_index index(p);
    const auto found = inlay::select_by_repeats(index, inlay::scaling::for_total(inlay::largest_price(index)), {1e7});
    const inlay::selection flat = inlay::select(p);
    REQUIRE(flat.cost);
    CHECK(*flat.cost == 98.5);
    if (found) CHECK(*inlay::cover_cost(index, found->around) == *flat.cost);
}

TEST_CASE("stretches woven into what is around them are covered as cheaply as by the search through all of them") {
    std::size_t with = 0, by_edge = 0, outside = 0, behind = 0, many_formats = 0;
    for (std::uint64_t seed = 0; seed < 900; ++seed) {
        CAPTURE(seed);
        inlay::problem p = inlay::random_woven_problem(seed, 9 + static_cast<std::uint32_t>(seed % 9));
        REQUIRE(inlay::check(p));
        const inlay::problem_index index(p);
        const auto unit = inlay::scaling::for_total(inlay::largest_price(index));
        const auto found = inlay::select_by_repeats(index, unit, {1e7});
        if (!found) continue;
        ++with;
        by_edge += p.share_conversions ? 0u : 1u;
        many_formats += p.formats > 4 ? 1u : 0u;
        behind += index.producers(p.nodes - 1).front() < 4 ? 1u : 0u;
        for (inlay::node_id v = 0; v < 4; ++v) outside += index.users(v).size() >= 9 ? 1u : 0u;
        REQUIRE(inlay::covers_once(index, found->around));
        const auto cost = inlay::cover_cost(index, found->around);
        const inlay::selection flat = inlay::select(p);
        if (!cost) {
            REQUIRE(p.acyclic);
            if (flat.cost) CHECK(*flat.cost >= unit.back(found->cost) * (1 - 1e-12));
            continue;
        }
        CHECK(*cost == doctest::Approx(unit.back(found->cost)).epsilon(1e-12));
        REQUIRE(flat.status == inlay::selection_status::optimal);
        CHECK(*cost == doctest::Approx(*flat.cost).epsilon(1e-12));
    }
    CHECK(with > 250);
    CHECK(by_edge > 80);
    CHECK(outside > 100);
    CHECK(behind > 20);
    CHECK(many_formats > 60);
}

TEST_CASE("a problem of over two thousand nodes costs what it costs without the way by stretches") {
    std::size_t shorter = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        inlay::problem p = inlay::random_woven_problem(seed, 1001);
        const inlay::problem_index index(p);
        if (!inlay::select_by_repeats(index, inlay::scaling::for_total(inlay::largest_price(index)), {2e7})) continue;
        const inlay::selection found = inlay::select(p);
        // Labels cost nothing, but no stretch is like another now.
        inlay::random_numbers numbers{seed};
        for (inlay::problem_candidate& c : p.candidates) c.backend = numbers.below(2);
        const inlay::selection flat = inlay::select(p);
        REQUIRE(found.status == flat.status);
        if (!found.cost) continue;
        CHECK(*found.cost == doctest::Approx(*flat.cost).epsilon(1e-10));
        shorter += found.effort.table_entries * 20 < flat.effort.table_entries ? 1u : 0u;
    }
    CHECK(shorter > 5);
}
