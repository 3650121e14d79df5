// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/automaton/node_queue.hpp>

#include <set>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

TEST_CASE("the least node comes first, as often as it was put in") {
    CHECK(rc::check("pushes and pops", [](const std::vector<int>& steps) {
        inlay::node_queue queue;
        std::multiset<inlay::node_id> expected;
        for (const int step : steps) {
            if (step % 3 == 0 && !expected.empty()) {
                queue.pop();
                expected.erase(expected.begin());
            } else {
                const auto n = static_cast<inlay::node_id>(step < 0 ? -(step + 1) : step);
                queue.push(n);
                expected.insert(n);
            }
            RC_ASSERT(queue.empty() == expected.empty());
            if (!expected.empty()) RC_ASSERT(queue.first() == *expected.begin());
        }
    }));
}
