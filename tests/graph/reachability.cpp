// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/reachability.hpp>

#include <algorithm>
#include <random>
#include <span>

#include <doctest/doctest.h>

#include "two_vectors.hpp"

using inlay::node_id;

namespace {

/// By definition: no node outside the set lies on a path from one of the set to another.
bool convex_by_definition(const two_vectors& g, const std::vector<node_id>& set) {
    std::vector<std::vector<bool>> reaches(g.size(), std::vector<bool>(g.size(), false));
    for (node_id to = 0; to < g.size(); ++to)
        for (const node_id from : g.reads[to]) {
            reaches[from][to] = true;
            for (node_id n = 0; n < from; ++n)
                if (reaches[n][from]) reaches[n][to] = true;
        }
    const auto inside = [&](node_id n) { return std::find(set.begin(), set.end(), n) != set.end(); };
    for (const node_id a : set)
        for (const node_id b : set)
            for (node_id n = 0; n < g.size(); ++n)
                if (!inside(n) && reaches[a][n] && reaches[n][b]) return false;
    return true;
}

}  // namespace

TEST_CASE("a set that a path leaves and comes back to is not convex") {
    two_vectors g;
    g.add("x");
    g.add("a", {0});
    g.add("b", {1});
    g.add("c", {1, 2});
    const inlay::user_lists users(g);
    const std::vector<node_id> around{1, 3}, whole{1, 2, 3}, apart{0, 3}, one{2}, none;
    CHECK_FALSE(inlay::is_convex(g, users, around));
    CHECK(inlay::is_convex(g, users, whole));
    CHECK_FALSE(inlay::is_convex(g, users, apart));
    CHECK(inlay::is_convex(g, users, one));
    CHECK(inlay::is_convex(g, users, none));
}

TEST_CASE("over random sets of random graphs, convexity is what its definition says") {
    std::size_t convex = 0, other = 0;
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        const two_vectors g = random_two_vectors(seed, 14);
        const inlay::user_lists users(g);
        std::mt19937 random(seed + 1000);
        for (int k = 0; k < 20; ++k) {
            std::vector<node_id> set;
            const auto one_in = 2 + random() % 4;
            for (node_id n = 0; n < g.size(); ++n)
                if (random() % one_in == 0) set.push_back(n);
            const bool expected = convex_by_definition(g, set);
            REQUIRE(inlay::is_convex(g, users, set) == expected);
            ++(expected ? convex : other);
            if (set.empty()) continue;
            const node_id between = inlay::node_between(g, std::span<const node_id>(set));
            REQUIRE((between == inlay::no_node) == expected);
            if (expected) continue;
            // It reads from the set, and joining it and what else lies between leaves nothing between.
            CHECK_FALSE(std::binary_search(set.begin(), set.end(), between));
            CHECK(std::any_of(g.reads[between].begin(), g.reads[between].end(),
                              [&](node_id from) { return std::binary_search(set.begin(), set.end(), from); }));
            for (node_id more = between; more != inlay::no_node; more = inlay::node_between(g, std::span<const node_id>(set)))
                set.insert(std::upper_bound(set.begin(), set.end(), more), more);
            CHECK(convex_by_definition(g, set));
        }
    }
    CHECK(convex > 500);
    CHECK(other > 500);
}
