// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/node_set.hpp>

#include <algorithm>
#include <set>

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace inlay;

namespace {
using numbers = std::set<node_id>;
node_set of(const numbers& s) { return node_set(std::vector<node_id>(s.begin(), s.end())); }
numbers random_numbers() {
    const auto list = *rc::gen::container<std::vector<node_id>>(rc::gen::inRange<node_id>(0, 12));
    return {list.begin(), list.end()};
}
}  // namespace

TEST_CASE("at the first number where two sets differ, the one that has it is smaller [candidate.node_set.order]") {
    CHECK(node_set{1, 5} < node_set{2, 3});
    CHECK(node_set{1, 2} < node_set{1});
    CHECK_FALSE(node_set{1} < node_set{1, 2});
    CHECK(node_set{1, 2, 9} < node_set{1, 3});
    CHECK(node_set{0} < node_set{});
    CHECK_FALSE(node_set{3} < node_set{3});
}

TEST_CASE("a set prints runs of three or more as first and last [candidate.node_set.text]") {
    CHECK(to_string(node_set{}) == "{}");
    CHECK(to_string(node_set{7, 6, 5, 4, 2, 1}) == "{1,2,4..7}");
    CHECK(to_string(node_set{0, 1, 2}) == "{0..2}");
    CHECK(to_string(node_set{0, 2, 3, 5}) == "{0,2,3,5}");
}

TEST_CASE("a list that is to name each node once is refused with a repeated or foreign node [candidate.node_set.list]") {
    const std::vector<node_id> good{3, 1}, twice{3, 1, 3}, foreign{1, 4};
    const auto made = node_set_of(good, 4);
    REQUIRE(made);
    CHECK(*made == node_set{1, 3});
    CHECK(node_set_of(twice, 4).failure().message == "node 3 stands twice in the list; name each node once");
    CHECK(node_set_of(foreign, 4).failure().message == "node 4 of the list is not below the graph's size 4; name nodes of this graph");
}

TEST_CASE("a set moves to another graph only if each member has a place of its own there [candidate.node_set.moved]") {
    const std::vector<node_id> places{5, no_node, 2, 2};
    const node_set good{0, 2}, nowhere{0, 1}, shared{2, 3}, beyond{9};
    const auto made = moved(good, places, 6);
    REQUIRE(made);
    CHECK(*made == node_set{2, 5});
    CHECK(moved(nowhere, places, 6).failure().message == "node 1 of the set has no place below 6; give every member of the set one");
    CHECK(moved(shared, places, 6).failure().message ==
          "node 3 of the set goes to place 2 where another one went; give each a place of its own");
    CHECK_FALSE(moved(good, places, 5));
    CHECK_FALSE(moved(beyond, places, 6));
}

TEST_CASE("over random sets, all operations are those of sets of numbers [candidate.node_set.algebra]") {
    CHECK(rc::check("node_set and std::set", [] {
        const numbers a = random_numbers(), b = random_numbers();
        const node_set s = of(a), t = of(b);
        numbers both, either, only;
        std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
        std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::inserter(either, either.end()));
        std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(only, only.end()));
        RC_ASSERT((s & t) == of(both));
        RC_ASSERT((s | t) == of(either));
        RC_ASSERT((s - t) == of(only));
        RC_ASSERT(disjoint(s, t) == both.empty());
        RC_ASSERT(is_subset(s, t) == only.empty());
        RC_ASSERT((s == t) == (a == b));
        RC_ASSERT(s.size() == a.size());
        RC_ASSERT(s.empty() == a.empty());
        RC_ASSERT(!(s == t) || s.hash() == t.hash());
        RC_ASSERT(int(s < t) + int(t < s) + int(s == t) == 1);
        // The order by its definition.
        for (node_id n = 0; n < 12; ++n)
            if (a.count(n) != b.count(n)) {
                RC_ASSERT((s < t) == (a.count(n) == 1));
                break;
            }
        for (node_id n = 0; n < 13; ++n) {
            RC_ASSERT(s.has(n) == (a.count(n) == 1));
            const auto above = a.upper_bound(n);
            RC_ASSERT(s.next(n) == (above == a.end() ? no_node : *above));
            node_set more = s;
            more.add(n);
            RC_ASSERT(more == (s | node_set{n}));
        }
        RC_ASSERT(s.first() == (a.empty() ? no_node : *a.begin()));
        RC_ASSERT(s.last() == (a.empty() ? no_node : *a.rbegin()));
        node_id outside = 0;
        while (a.count(outside) == 1) ++outside;
        RC_ASSERT(s.first_outside() == outside);
        RC_ASSERT(std::equal(s.begin(), s.end(), a.begin(), a.end()));
    }));
}
