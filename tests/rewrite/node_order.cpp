// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/rewrite/node_order.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

using inlay::no_node;
using inlay::node_id;
using inlay::node_order;

namespace {

std::vector<node_id> listed(const node_order& order) {
    std::vector<node_id> list;
    for (node_id n = order.first(); n != no_node; n = order.after(n)) list.push_back(n);
    return list;
}

}  // namespace

TEST_CASE("nodes begin in the order of their numbers") {
    const node_order order(4);
    CHECK(listed(order) == std::vector<node_id>{0, 1, 2, 3});
    CHECK(order.last() == 3);
    CHECK(order.before(0) == no_node);
    CHECK(order.contains(3));
    CHECK_FALSE(order.contains(4));
    const node_order empty(0);
    CHECK(empty.first() == no_node);
    CHECK(empty.last() == no_node);
}

TEST_CASE("nodes put in front of one place again and again are numbered anew where there is no room") {
    node_order order(2);
    std::vector<node_id> expected{0, 1};
    for (node_id n = 2; n < 2000; ++n) {
        order.insert(n, 1);
        expected.insert(expected.end() - 1, n);
    }
    CHECK(listed(order) == expected);
    for (std::size_t i = 0; i + 1 < expected.size(); ++i) CHECK(order.rank(expected[i]) < order.rank(expected[i + 1]));
}

TEST_CASE("after any insertions and removals the row is that of a list, and ranks ascend along it") {
    CHECK(rc::check([] {
        const auto begin = *rc::gen::inRange<std::size_t>(0, 6);
        node_order order(begin);
        std::vector<node_id> expected;
        for (node_id n = 0; n < begin; ++n) expected.push_back(n);
        auto next = static_cast<node_id>(begin);
        const auto steps = *rc::gen::inRange(0, 60);
        for (int s = 0; s < steps; ++s) {
            const auto at = *rc::gen::inRange<std::size_t>(0, expected.size() + 1);
            if (at < expected.size() && *rc::gen::inRange(0, 3) == 0) {
                order.erase(expected[at]);
                RC_ASSERT(!order.contains(expected[at]));
                expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(at));
            } else {
                order.insert(next, at < expected.size() ? expected[at] : no_node);
                expected.insert(expected.begin() + static_cast<std::ptrdiff_t>(at), next++);
            }
        }
        RC_ASSERT(listed(order) == expected);
        RC_ASSERT(std::is_sorted(expected.begin(), expected.end(), [&](node_id a, node_id b) { return order.rank(a) < order.rank(b); }));
        RC_ASSERT(order.last() == (expected.empty() ? no_node : expected.back()));
    }));
}
