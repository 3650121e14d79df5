// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/ancestor_tree.hpp>

#include <random>
#include <set>

#include <doctest/doctest.h>

using inlay::ancestor_tree;

TEST_CASE("places meet where the ways to the root do") {
    std::mt19937 numbers(7);
    const auto below = [&](std::uint32_t most) { return static_cast<std::uint32_t>(numbers() % most); };
    ancestor_tree t;
    // Deep and wide by turns.
    for (std::uint32_t i = 1; i < 600; ++i) t.add(i % 3 == 0 ? below(i) : i - 1);
    for (int k = 0; k < 3000; ++k) {
        const std::uint32_t a = below(600), b = below(600);
        std::set<std::uint32_t> above{0};
        for (std::uint32_t p = a; p != 0; p = t.parent(p)) above.insert(p);
        std::uint32_t meeting = b;
        while (!above.contains(meeting)) meeting = t.parent(meeting);
        CHECK(t.meeting(a, b) == meeting);
        CHECK(t.is_inside(a, b) == above.contains(b));
    }
    CHECK(t.size() == 600);
    CHECK(t.parent(0) == 0);
}
