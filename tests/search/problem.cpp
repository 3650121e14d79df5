// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/problem.hpp>

#include <vector>

#include <doctest/doctest.h>

static_assert(inlay::impossible > 1e308);

TEST_CASE("a problem is a plain value with the defaults of its format") {
    const inlay::problem empty;
    CHECK(empty.nodes == 0);
    CHECK(empty.share_conversions);
    CHECK(empty.acyclic);
    CHECK(empty.conversions == std::vector<double>{0});
    inlay::problem other = empty;
    CHECK(other == empty);
    other.edges.push_back({0, 1});
    CHECK_FALSE(other == empty);
}

TEST_CASE("uniform conversions cost the same between different formats and nothing within one") {
    CHECK(inlay::uniform_conversions(0, 7).empty());
    CHECK(inlay::uniform_conversions(3, 7) == std::vector<double>{0, 7, 7, 7, 0, 7, 7, 7, 0});
}
