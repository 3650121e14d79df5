// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/cover.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

namespace {

// 0 -> 1 -> 3 and 0 -> 2 -> 3, and two parts that feed each other: {0, 3} around {1, 2}.
inlay::problem diamond() {
    inlay::problem p;
    p.nodes = 4;
    p.edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
    p.candidates = {{{0}, 1, 0, 0, 0, {}, {}},
                    {{1, 2}, 1, 0, 0, 0, {}, {}},
                    {{3}, 1, 0, 0, 0, {}, {}},
                    {{0, 3}, 1, 0, 0, 0, {}, {}},
                    {{1}, 1, 0, 0, 0, {}, {}}};
    return p;
}

std::vector<inlay::candidate_index> cycle(const inlay::problem_index& index, const std::vector<inlay::candidate_index>& chosen) {
    return inlay::find_cycle(index, inlay::owners(index, chosen));
}

}  // namespace

TEST_CASE("a cover has every node in one candidate") {
    const inlay::problem p = diamond();
    const inlay::problem_index index(p);
    using list = std::vector<inlay::candidate_index>;
    CHECK(inlay::covers_once(index, list{2, 0, 1}));
    CHECK_FALSE(inlay::covers_once(index, list{0, 1}));
    CHECK_FALSE(inlay::covers_once(index, list{0, 1, 2, 4}));
    CHECK_FALSE(inlay::covers_once(index, list{0, 0, 1}));
    CHECK_FALSE(inlay::covers_once(index, list{0, 1, 9}));
    CHECK_FALSE(inlay::covers_once(index, list{}));
}

TEST_CASE("a cycle between parts is found, and only where there is one") {
    const inlay::problem p = diamond();
    const inlay::problem_index index(p);
    CHECK(cycle(index, {0, 1, 2}).empty());
    std::vector<inlay::candidate_index> found = cycle(index, {3, 1});
    std::sort(found.begin(), found.end());
    CHECK(found == std::vector<inlay::candidate_index>{1, 3});
    // Nodes that nothing covers are parts of one node.
    CHECK(cycle(index, {3}) == std::vector<inlay::candidate_index>{3});
    CHECK(cycle(index, {1}).empty());
}
