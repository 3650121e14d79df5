// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/exact/bounded_cover.hpp>

#include <doctest/doctest.h>

TEST_CASE("a cover is proved once nothing can cost less, and that there is none once nothing can cost anything") {
    inlay::bounded_cover one;
    CHECK_FALSE(one.proved());
    one.bound = inlay::infinite_cost;
    CHECK(one.proved());
    one = {7, 6, {0}};
    CHECK_FALSE(one.proved());
    one.bound = 7;
    CHECK(one.proved());
}
