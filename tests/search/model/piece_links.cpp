// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/model/piece_links.hpp>

#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/cover.hpp>

TEST_CASE("the first nodes of neighbouring pieces are linked, once, for candidates that stand for themselves") {
    inlay::problem p;
    p.nodes = 6;
    // 0 -> 1, 2 -> 3, and 4 and 5 alone.
    p.edges = {{0, 1}, {2, 3}};
    p.candidates.resize(5);
    p.candidates[0] = {.nodes = {0, 1, 2, 3, 5}};
    p.candidates[1] = {.nodes = {0, 1}};
    p.candidates[2] = {.nodes = {1, 3, 4}};
    p.candidates[3] = {.nodes = {0, 4}};
    p.candidates[4] = {.nodes = {0, 1, 2}};
    const inlay::problem_index index(p);
    using links = std::vector<std::pair<inlay::node_id, inlay::node_id>>;
    // Candidates 0 and 4 both link 0 with 2; candidate 3 stands for nobody.
    CHECK(inlay::detail::links_between_pieces(index, {0, 1, 2, inlay::no_candidate, 4}) == links{{0, 2}, {1, 3}, {2, 5}, {3, 4}});
    CHECK(inlay::detail::links_between_pieces(index, {inlay::no_candidate, 1, inlay::no_candidate, 3, 3}) == links{{0, 4}});
}
