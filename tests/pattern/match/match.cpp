// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/match/match.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/pattern/dsl/dsl.hpp>

#include "graph/two_vectors.hpp"

using namespace inlay::dsl;
using inlay::node_id;

TEST_CASE("matching stops when it is told that it is enough") {
    two_vectors g;
    g.add("x");
    g.add("f", {0, 0});
    const inlay::user_lists users(g);
    int seen = 0;
    inlay::for_each_match(commutative<"f">(any, any), g, users, 1, [&](auto&&) { return ++seen == 1; });
    CHECK(seen == 1);
    inlay::for_each_match(commutative<"f">(any, any), g, users, 1, [&](auto&&) { return ++seen == 100; });
    CHECK(seen == 3);
}

TEST_CASE("the first match is the one that is written first, and no match is none") {
    two_vectors g;
    g.add("x");
    g.add("y");
    g.add("f", {0, 1});
    const inlay::user_lists users(g);
    const auto first = inlay::match(commutative<"f">(as<"a">, any), g, users, 2);
    REQUIRE(first.has_value());
    CHECK(first->at<"a">() == 0);
    CHECK_FALSE(inlay::match(op<"g">, g, users, 2).has_value());
}

TEST_CASE("a match is told with its root, each covered node once, and what each name is bound to") {
    two_vectors g;
    g.add("x");
    g.add("g", {0});
    g.add("f", {1, 1});
    const inlay::user_lists users(g);
    const auto found = inlay::match(op<"f">(op<"g">(as<"a">), op<"g">(as<"a">)) | as<"b">, g, users, 2);
    REQUIRE(found.has_value());
    CHECK(found->root == 2);
    CHECK(found->nodes == std::vector<node_id>{1, 2});
    CHECK(found->at<"a">() == 0);
    CHECK(found->at<"b">() == inlay::no_node);
}

TEST_CASE("captured nodes are no node until a search binds them") {
    const inlay::captured_nodes<inlay::capture_names<"x", "y">> none;
    CHECK(none.at<"x">() == inlay::no_node);
    const node_id bound[] = {3};
    const inlay::captured_nodes<inlay::capture_names<"x", "y">> one(bound);
    CHECK(one.at<"x">() == 3);
    CHECK(one.at<"y">() == inlay::no_node);
}
