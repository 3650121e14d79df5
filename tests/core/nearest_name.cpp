// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/nearest_name.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace inlay;

TEST_CASE("distances are counts of single edits") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("abc", "abc") == 0);
    CHECK(edit_distance("abc", "") == 3);
    CHECK(edit_distance("kitten", "sitting") == 3);
    CHECK(edit_distance("candidates", "canddiates") == 2);
}

TEST_CASE("the distance is a metric") {
    CHECK(rc::check("symmetric, zero only for equals, and kept by the triangle",
                    [](const std::string& a, const std::string& b, const std::string& c) {
                        RC_ASSERT(edit_distance(a, b) == edit_distance(b, a));
                        RC_ASSERT((edit_distance(a, b) == 0) == (a == b));
                        RC_ASSERT(edit_distance(a, c) <= edit_distance(a, b) + edit_distance(b, c));
                    }));
}

TEST_CASE("the nearest name is found, and nothing where all are far") {
    const std::vector<std::string_view> known{"cost", "nodes", "backend"};
    CHECK(nearest_name("node", known) == "nodes");
    CHECK(nearest_name("backends", known) == "backend");
    CHECK(nearest_name("zzzzzz", known).empty());
    CHECK(nearest_name("x", std::vector<std::string>{}).empty());
    CHECK(nearest_name(std::string(100000, 'a'), known).empty());
}

TEST_CASE("the hint names the nearest, or what is known") {
    const std::vector<std::string> known{"x", "mask"};
    CHECK(name_hint("maks", known) == " (did you mean 'mask'?)");
    CHECK(name_hint("zzzzzzzz", known) == " (known: 'x', 'mask')");
    CHECK(name_hint("zzzzzzzz", std::vector<std::string>{}).empty());
    CHECK(name_hint("zzzzzzzz", std::vector<std::string>(20, "n")) == " (known: 'n', 'n', 'n', 'n', 'n', 'n', 'n', 'n', ...)");
}
