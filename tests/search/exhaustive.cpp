// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/exhaustive.hpp>

#include <doctest/doctest.h>

TEST_CASE("plain enumeration finds the cheapest cover and every marginal") {
    inlay::problem p;
    p.nodes = 2;
    p.edges = {{0, 1}};
    p.formats = 2;
    p.conversions = {0, 3, 3, 0};
    p.candidates = {{{0}, 1, 0, 0, 0, {}, {}}, {{1}, 1, 0, 1, 1, {}, {}}, {{1}, 3, 0, 0, 0, {}, {}}, {{0, 1}, 6, 0, 0, 0, {}, {}}};
    const auto found = inlay::exhaustive(p);
    REQUIRE(found.has_value());
    CHECK(found->status == inlay::selection_status::optimal);
    CHECK(found->cost == 4);
    CHECK(found->chosen == std::vector<inlay::candidate_index>{0, 2});
    REQUIRE(found->marginals.size() == 4);
    CHECK(found->marginals[0] == 4);
    CHECK(found->marginals[1] == 5);
    CHECK(found->marginals[2] == 4);
    CHECK(found->marginals[3] == 6);
}

TEST_CASE("plain enumeration says that there is no cover, and which node is bare") {
    inlay::problem p;
    p.nodes = 3;
    p.candidates = {{{0, 1}, 1, 0, 0, 0, {}, {}}, {{1, 2}, 1, 0, 0, 0, {}, {}}};
    auto found = inlay::exhaustive(p);
    REQUIRE(found.has_value());
    CHECK(found->status == inlay::selection_status::infeasible);
    CHECK_FALSE(found->uncoverable.has_value());
    p.candidates.pop_back();
    found = inlay::exhaustive(p);
    REQUIRE(found.has_value());
    CHECK(found->uncoverable == inlay::node_id{2});
}

TEST_CASE("plain enumeration refuses what is above its stated size") {
    inlay::problem p;
    p.nodes = inlay::exhaustive_nodes + 1;
    for (inlay::node_id v = 0; v < p.nodes; ++v) p.candidates.push_back({{v}, 1, 0, 0, 0, {}, {}});
    CHECK_FALSE(inlay::exhaustive(p).has_value());
    p.nodes = 0;
    p.candidates.clear();
    CHECK(inlay::exhaustive(p)->cost == 0);
}
