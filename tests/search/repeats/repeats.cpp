// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/repeats/repeats.hpp>

#include <algorithm>

#include <doctest/doctest.h>

#include <inlay/search/check.hpp>

#include "search/repeated_problem.hpp"

namespace {

std::optional<inlay::repeat> found_in(const inlay::problem& p, std::uint32_t least = 8) {
    const inlay::problem_index index(p);
    const auto ending = inlay::candidates_by_last_node(index);
    return inlay::repeat_finder(index, ending)(least);
}

/// A chain whose nodes cost 1, 2, 3, 1, 2, 3, ...
inlay::problem chain(std::uint32_t nodes) {
    inlay::problem p;
    p.nodes = nodes;
    for (inlay::node_id v = 0; v < nodes; ++v) {
        if (v > 0) p.edges.push_back({v - 1, v});
        p.candidates.push_back({.nodes = {v}, .cost = 1.0 + v % 3});
    }
    return p;
}

}  // namespace

TEST_CASE("a chain of three costs in turn repeats every three nodes") {
    const auto found = found_in(chain(62));
    REQUIRE(found);
    CHECK(found->period % 3 == 0);
    // The first node reads nothing, the last is read by nobody.
    CHECK(found->first >= 1);
    CHECK(found->end() <= 62);
    CHECK(found->end() - found->first >= 54);
    CHECK_FALSE(found_in(chain(20)));
}

TEST_CASE("a cost, an edge or a conversion that is not repeated ends the stretches") {
    inlay::problem p = chain(120);
    p.candidates[60].cost = 7;
    const auto found = found_in(p);
    REQUIRE(found);
    CHECK((found->end() <= 60 || found->first > 60));
    p = chain(120);
    p.conversions_of.push_back({60, {0.0}});
    CHECK(found_in(p)->end() - found_in(p)->first > 100);
    p.formats = 2;
    p.conversions = inlay::uniform_conversions(2, 1);
    p.conversions_of[0].prices = {0, 2, 1, 0};
    const auto around_it = found_in(p);
    REQUIRE(around_it);
    CHECK((around_it->end() <= 60 || around_it->first > 60));
    p = chain(120);
    p.edges.push_back({59, 62});
    const auto other = found_in(p);
    REQUIRE(other);
    CHECK((other->end() <= 62 || other->first > 59));
}

TEST_CASE("what repeats is the same a period later, and a shortened problem is sound") {
    std::size_t with = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        const inlay::problem p = inlay::random_repeated_problem(seed, 12);
        REQUIRE(inlay::check(p));
        const inlay::problem_index index(p);
        const auto ending = inlay::candidates_by_last_node(index);
        const inlay::repeat_finder finder(index, ending);
        const auto found = finder(8);
        if (!found) continue;
        ++with;
        for (inlay::node_id v = found->first; v < found->end() - found->period; ++v) CHECK(finder.matches(v, found->period));
        const auto shortened = inlay::shorten(index, ending, *found);
        REQUIRE(shortened);
        CHECK(inlay::check(shortened->shown));
        CHECK(shortened->shown.nodes == p.nodes - (found->count - inlay::shown_stretches) * found->period);
        CHECK(shortened->stands_for.size() == shortened->shown.candidates.size());
        const inlay::problem_index shown(shortened->shown);
        const auto shown_ending = inlay::candidates_by_last_node(shown);
        const inlay::repeat_finder there(shown, shown_ending);
        for (inlay::node_id v = found->first; v < found->first + 3 * found->period; ++v) CHECK(there.matches(v, found->period));
    }
    CHECK(with > 200);
}

TEST_CASE("stretches that read one after the other of several nodes before them are not alike") {
    // Two nodes a stretch; the first three read a node each before all of them, the others the fourth such node.
    inlay::problem p;
    constexpr inlay::node_id before = 10, count = 20;
    p.nodes = before + 2 * count;
    for (inlay::node_id v = 0; v < p.nodes; ++v) {
        if (v > 0) p.edges.push_back({v - 1, v});
        p.candidates.push_back({.nodes = {v}, .cost = v < before ? 1.0 + v : 20});
    }
    for (inlay::node_id i = 0; i < count; ++i) p.edges.push_back({1 + 2 * std::min<inlay::node_id>(i, 3), before + 2 * i});
    REQUIRE(inlay::check(p));
    CHECK_FALSE(found_in(p));
    for (inlay::node_id i = 0; i < count; ++i) p.edges[p.edges.size() - count + i].from = 1;
    REQUIRE(inlay::check(p));
    CHECK(found_in(p));
}

TEST_CASE("where one tensor alone is read further on is found in long stretches with long edges") {
    // Every node of a stretch is read by the first of the next one, and costs something else.
    constexpr inlay::node_id period = 20000;
    inlay::problem p;
    p.nodes = 9 * period;
    for (inlay::node_id v = 0; v < p.nodes; ++v) {
        if (v > 0) p.edges.push_back({v - 1, v});
        if (v % period > 1 && v + period < p.nodes) p.edges.push_back({v, v + period - 1});
        p.candidates.push_back({.nodes = {v}, .cost = 1.0 + v % period});
    }
    CHECK_FALSE(found_in(p));
}
