// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/relay/relay_attributes.hpp>

#include <vector>

#include <doctest/doctest.h>

using inlay::attribute_map;
using ints = std::vector<std::int64_t>;

TEST_CASE("one integer is a list of it") {
    CHECK(inlay::detail::relay_list({{"a", std::int64_t{3}}}, "a") == ints{3});
    CHECK(inlay::detail::relay_list({{"a", ints{1, 2}}}, "a") == ints{1, 2});
    CHECK_FALSE(inlay::detail::relay_list({{"a", 1.5}}, "a"));
    CHECK_FALSE(inlay::detail::relay_list({}, "a"));
}

TEST_CASE("windows have what is said once for all their axes") {
    attribute_map how;
    CHECK(inlay::detail::relay_window({{"padding", ints{1, 2}}, {"strides", std::int64_t{2}}}, 2, how));
    CHECK(how.integers("pads") == ints{1, 2, 1, 2});
    CHECK(how.integers("strides") == ints{2, 2});
    CHECK(how.integers("dilations") == ints{1, 1});
    CHECK_FALSE(inlay::detail::relay_window({{"padding", ints{1, 2, 3}}}, 2, how));
}
