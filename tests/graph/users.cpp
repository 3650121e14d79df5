// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/users.hpp>

#include <set>

#include <doctest/doctest.h>

#include "two_vectors.hpp"

using inlay::node_id;

namespace {
std::vector<node_id> list(std::span<const node_id> s) { return {s.begin(), s.end()}; }
}  // namespace

TEST_CASE("users stand in ascending order, each once however often it reads") {
    two_vectors g;
    const node_id x = g.add("x");
    const node_id a = g.add("a", {x, x});
    const node_id b = g.add("b", {a, x, a});
    const inlay::user_lists users(g);
    CHECK(list(users[x]) == std::vector<node_id>{a, b});
    CHECK(list(users[a]) == std::vector<node_id>{b});
    CHECK(users[b].empty());
    CHECK(users.count(x) == 2);
    CHECK(users.count(b) == 0);
}

TEST_CASE("a graph of one node has no users") {
    two_vectors one;
    one.add("x");
    CHECK(inlay::user_lists(one).count(0) == 0);
}

TEST_CASE("over random graphs, n uses m exactly where m is an operand of n") {
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        CAPTURE(seed);
        const two_vectors g = random_two_vectors(seed, 30);
        const inlay::user_lists users(g);
        std::vector<std::set<node_id>> expected(g.size());
        for (node_id n = 0; n < g.size(); ++n)
            for (const node_id o : g.reads[n]) expected[o].insert(n);
        for (node_id n = 0; n < g.size(); ++n) CHECK(list(users[n]) == std::vector<node_id>(expected[n].begin(), expected[n].end()));
    }
}
