// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/constraints.hpp>

#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

TEST_CASE("constraints that speak of nothing are refused in a sentence") {
    inlay::problem p;
    p.nodes = 2;
    using rule = inlay::constraint_rule;
    const auto fault = [&](inlay::constraint one) {
        const auto checked = inlay::check(std::vector<inlay::constraint>{{rule::pin, {0}, 0}, std::move(one)}, p);
        REQUIRE_FALSE(checked);
        return checked.failure().message;
    };
    CHECK(fault({rule::pin, {}, 0}) == "constraints[1] has no nodes, and would say nothing; give it some.");
    CHECK(fault({rule::forbid, {2}, 0}) == "constraints[1] names node 2, but there are 2 nodes, counted from 0; name one of them.");
    CHECK(fault({rule::colocate, {1, 0, 1}}) == "constraints[1] names node 1 twice; name it once.");
    CHECK(fault({rule::prefer, {1}, 0, -1}) == "constraints[1] is worth no number of at least 0; give it one.");
    CHECK(fault({rule::prefer, {1}, 0, std::numeric_limits<double>::quiet_NaN()}) == "constraints[1] is worth no number of at least 0; give it one.");
    CHECK(inlay::check(std::vector<inlay::constraint>{{rule::separate, {1, 0}}, {rule::prefer, {1}, 7, 2}}, p));
    CHECK(std::string(name_of(rule::separate)) == "separate");
    CHECK(std::string(name_of(rule::pin)) == "pin");
}
