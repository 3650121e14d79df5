// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/check.hpp>

#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "random_problem.hpp"

namespace {

inlay::problem sound() {
    inlay::problem p;
    p.nodes = 2;
    p.edges = {{0, 1}};
    p.formats = 2;
    p.conversions = inlay::uniform_conversions(2, 1);
    p.candidates = {{{0}, 1, 0, 0, 0, {}, {}}, {{1}, 1, 0, 1, 1, {{0, 0}}, {{1, 0}}}};
    return p;
}

std::string complaint(const inlay::problem& p) {
    const auto checked = inlay::check(p);
    return checked ? "none" : checked.failure().message;
}

bool says(const inlay::problem& p, const std::string& part) { return complaint(p).find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a sound problem passes, random ones too") {
    CHECK(complaint(sound()) == "none");
    CHECK(complaint(inlay::problem{}) == "none");
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        CHECK(complaint(inlay::random_small_problem(seed)) == "none");
    }
}

TEST_CASE("numbers that are no prices are named with their place") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    inlay::problem p = sound();
    p.candidates[1].cost = nan;
    CHECK(says(p, "candidates[1].cost is not finite"));
    p.candidates[1].cost = inlay::impossible;
    CHECK(says(p, "candidates[1].cost is not finite"));
    p.candidates[1].cost = -1;
    CHECK(says(p, "candidates[1].cost is negative"));
    p = sound();
    p.conversions[1] = nan;
    CHECK(says(p, "conversions.default[0][1] is not a number"));
    p.conversions[1] = -1;
    CHECK(says(p, "conversions.default[0][1] is negative"));
    p = sound();
    p.conversions[3] = inlay::impossible;
    CHECK(says(p, "conversions.default[1][1] is not 0"));
    p = sound();
    p.conversions_of = {{1, {0, 1, 2}}};
    CHECK(says(p, "conversions.of_node.1 has 3 prices"));
    p.conversions_of = {{2, {0, 1, 2, 0}}};
    CHECK(says(p, "conversions.of_node.2 is 2"));
    p.conversions_of = {{1, {0, 1, 2, 0}}, {1, {0, 1, 2, 0}}};
    CHECK(says(p, "conversions.of_node names node 1 more than once"));
}

TEST_CASE("sums that would leave the range of double are refused") {
    inlay::problem p = sound();
    p.candidates[0].cost = 9e299;
    CHECK(complaint(p) == "none");
    p.candidates[1].cost = 9e299;
    CHECK(says(p, "candidates[1].cost add up"));
    p = sound();
    p.conversions[1] = 1e301;
    CHECK(says(p, "conversions may add up"));
}

TEST_CASE("indices, repetitions and exceptions without an object are named with their place") {
    inlay::problem p = sound();
    p.edges = {{0, 5}};
    CHECK(says(p, "edges[0] is 5"));
    p.edges = {{1, 0}};
    CHECK(says(p, "edges[0] goes from node 1"));
    p.edges = {{0, 1}, {0, 1}};
    CHECK(says(p, "more than once"));
    p = sound();
    p.candidates[0].nodes.clear();
    CHECK(says(p, "candidates[0].nodes is empty"));
    p.candidates[0].nodes = {0, 0};
    CHECK(says(p, "candidates[0].nodes names node 0 more than once"));
    p = sound();
    p.candidates[0].out = 2;
    CHECK(says(p, "candidates[0].out is 2"));
    p = sound();
    p.candidates[1].in_of = {{1, 0}};
    CHECK(says(p, "candidates[1].in_of[0] names producer 1"));
    p = sound();
    p.candidates[1].out_of = {{0, 0}};
    CHECK(says(p, "candidates[1].out_of[0] names node 0"));
    p = sound();
    p.nodes = 0;
    CHECK(says(p, "the problem has no nodes"));
}

TEST_CASE("claims of very many nodes or formats cost no memory") {
    inlay::problem p = sound();
    p.nodes = 0xFFFFFFFEu;
    CHECK(complaint(p) == "none");
    p.formats = 0xFFFFFFFEu;
    CHECK(says(p, "conversions.default has 4 prices"));
}
