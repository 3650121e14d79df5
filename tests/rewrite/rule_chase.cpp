// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/rewrite/rule_chase.hpp>

#include <vector>

#include <doctest/doctest.h>

using inlay::rule_chase;

TEST_CASE("rules that feed each other in a ring are found, those on the way to it are not") {
    rule_chase c(4, 0);
    c.note(9, 0, 0);
    c.note(0, 1, 1);
    CHECK(c.ring().empty());
    c.note(1, 2, 2);
    c.note(2, 1, 3);
    CHECK(c.ring() == std::vector<std::size_t>{1, 2});
    c.note(3, 3, 4);
    CHECK(c.ring() == std::vector<std::size_t>{1, 2, 3});
}

TEST_CASE("what happened early is not held against a rule") {
    rule_chase c(1, 10);
    c.note(0, 0, 9);
    CHECK(c.ring().empty());
    c.note(0, 0, 10);
    CHECK(c.ring() == std::vector<std::size_t>{0});
}
