// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/repeats/select_repeated.hpp>

#include <doctest/doctest.h>

TEST_CASE("matrices that take more than the limit are not made") {
    // A chain whose every node has 200 candidates, each in a format of its own.
    inlay::problem p;
    constexpr std::uint32_t formats = 200;
    p.nodes = inlay::shown_stretches;
    p.formats = formats;
    p.conversions = inlay::uniform_conversions(formats, 1);
    for (inlay::node_id v = 0; v < p.nodes; ++v) {
        if (v > 0) p.edges.push_back({v - 1, v});
        for (inlay::format_index f = 0; f < formats; ++f) p.candidates.push_back({.nodes = {v}, .cost = 1.0 + f, .in = f, .out = f});
    }
    const inlay::problem_index index(p);
    const auto unit = inlay::scaling::for_total(1e7);
    const inlay::repeat many{0, 1, 1000};
    CHECK(inlay::select_repeated(index, many, unit, {1e9}));
    CHECK_FALSE(inlay::select_repeated(index, many, unit, {2e6}));
    CHECK_FALSE(inlay::select_repeated(index, many, unit, {1e9, 5e5}));
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
