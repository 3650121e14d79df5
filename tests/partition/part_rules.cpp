// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/partition/part_rules.hpp>

#include <doctest/doctest.h>

TEST_CASE("a cap admits what is at or under each of its numbers, and anything where it has none") {
    inlay::part_cap cap;
    const inlay::part_size size{3, 100, 50};
    CHECK(cap.admits(size));
    cap.most_nodes = 3;
    cap.most_bytes = 100;
    cap.most_live_bytes = 50;
    CHECK(cap.admits(size));
    CHECK_FALSE(cap.admits({4, 100, 50}));
    CHECK_FALSE(cap.admits({3, 101, 50}));
    CHECK_FALSE(cap.admits({3, 100, 51}));
    CHECK(inlay::part_rules().empty());
    CHECK_FALSE(inlay::part_rules{{}, {cap}}.empty());
    CHECK_FALSE(inlay::part_rules{{{1}}, {}}.empty());
}
