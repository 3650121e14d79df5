// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/model/representatives.hpp>

#include <vector>

#include <doctest/doctest.h>

TEST_CASE("the cheapest, then first, of the admitted candidates with the same nodes and formats stands for all") {
    inlay::problem p;
    p.nodes = 2;
    p.edges = {{0, 1}};
    p.formats = 2;
    p.conversions = inlay::uniform_conversions(2, 1);
    p.candidates.resize(6);
    p.candidates[0] = {.nodes = {0}, .cost = 3};
    p.candidates[1] = {.nodes = {0}, .cost = 2};
    p.candidates[2] = {.nodes = {0}, .cost = 2, .backend = 1};
    // Its tensor is read, so that its format makes a difference.
    p.candidates[3] = {.nodes = {0}, .cost = 1, .out = 1};
    p.candidates[4] = {.nodes = {1}, .cost = 1};
    p.candidates[5] = {.nodes = {0}, .cost = 0};
    const inlay::problem_index index(p);
    const auto none = inlay::no_candidate;
    CHECK(inlay::detail::representatives(index, {true, true, true, true, true, false}) ==
          std::vector<inlay::candidate_index>{1, 1, 1, 3, 4, none});
    CHECK(inlay::detail::representatives(index, {true, false, true, true, true, true}) ==
          std::vector<inlay::candidate_index>{5, none, 5, 3, 4, 5});
}
