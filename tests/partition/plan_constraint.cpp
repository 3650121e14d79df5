// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/partition/plan_constraint.hpp>

#include <doctest/doctest.h>

TEST_CASE("a constraint pins nodes to the first back end unless told otherwise, and names none") {
    const inlay::plan_constraint c;
    CHECK(c.rule == inlay::constraint_rule::pin);
    CHECK(c.backend == 0);
    CHECK(c.nodes.empty());
    CHECK(c.seconds == 0);
    CHECK(c.text.empty());
}
