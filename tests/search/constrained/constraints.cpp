// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/constrained/constraints.hpp>

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
    CHECK(fault({rule::prefer, {1}, 0, std::numeric_limits<double>::quiet_NaN()}) ==
          "constraints[1] is worth no number of at least 0; give it one.");
    CHECK(inlay::check(std::vector<inlay::constraint>{{rule::separate, {1, 0}}, {rule::prefer, {1}, 7, 2}}, p));
    inlay::constraint one{.rule = rule::part_limit, .nodes = {}};
    one.most = -1;
    CHECK(fault(one) == "constraints[1] allows for no number of at least 0; give it one.");
    one.most = std::numeric_limits<double>::quiet_NaN();
    CHECK(fault(one) == "constraints[1] allows for no number of at least 0; give it one.");
    one.most = 1;
    CHECK(inlay::check(std::vector<inlay::constraint>{one}, p));
    one.amounts = {1};
    CHECK(fault(one) == "constraints[1] has 1 amounts, but there are 0 candidates; give one for each, or none.");
    p.candidates = {{.nodes = {0}}};
    one.amounts = {std::numeric_limits<double>::infinity()};
    CHECK(fault(one) == "constraints[1] has amount 0 that is no finite number of at least 0; give one.");
    CHECK(fault({rule::keep, {}, 0}) == "constraints[1] has no nodes, and would say nothing; give it some.");
    CHECK(fault({rule::prefer, {0, 1}, 0, 9e299}) ==
          "the preferences up to constraints[1] may be worth more than 1e300 together, so that totals would leave the range of double; "
          "choose a larger unit.");
    CHECK(std::string(name_of(rule::keep)) == "keep");
    CHECK(std::string(name_of(rule::part_limit)) == "part_limit");
    CHECK(std::string(name_of(rule::separate)) == "separate");
    CHECK(std::string(name_of(rule::pin)) == "pin");
}

TEST_CASE("a constraint rules out what it cannot be with") {
    inlay::problem p;
    p.nodes = 3;
    p.candidates = {{.nodes = {0, 1}}, {.nodes = {0, 1}, .backend = 1}, {.nodes = {2}}, {.nodes = {0, 1, 2}, .backend = 1}, {.nodes = {0}}};
    const inlay::problem_index index(p);
    const auto out = [&](const inlay::constraint& one) {
        std::vector<inlay::candidate_index> made;
        for (inlay::candidate_index c = 0; c < p.candidates.size(); ++c)
            if (inlay::rules_out(one, index, c)) made.push_back(c);
        return made;
    };
    using rule = inlay::constraint_rule;
    using list = std::vector<inlay::candidate_index>;
    CHECK(out({rule::pin, {2}, 0}) == list{3});
    CHECK(out({rule::forbid, {0}, 1}) == list{1, 3});
    CHECK(out({rule::keep, {1, 0}, 1}) == list{0, 3, 4});
    CHECK(out({rule::keep, {0, 2}, 1}) == list{0, 1, 2, 3, 4});
    CHECK(out({rule::within, {1, 0}, 1}) == list{0, 3, 4});
    CHECK(out({rule::within, {1, 0}, 0}) == list{1, 3});
    CHECK(out({rule::within, {0}, 0}) == list{0, 1, 3});
    CHECK(out({rule::part_limit, {}, 1, 0, 2}) == list{3});
    CHECK(out({rule::part_limit, {0, 2}, 1, 0, 1}) == list{3});
    CHECK(out({rule::part_limit, {2}, 1, 0, 0}) == list{3});
    CHECK(out({rule::part_limit, {}, 1, 0, 5, {9, 5, 9, 6, 9}}) == list{3});
    CHECK(out({rule::part_limit, {}, 1, 0, 0}) == list{1, 3});
    CHECK(out({rule::prefer, {0}, 1, 4}).empty());
    CHECK(out({rule::separate, {0, 1}}).empty());
}
