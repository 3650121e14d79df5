// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/source_position.hpp>

#include <doctest/doctest.h>

TEST_CASE("a position is known from line 1 on") {
    CHECK_FALSE(inlay::source_position{}.is_known());
    CHECK(inlay::source_position{1, 1}.is_known());
    CHECK(inlay::source_position{2, 3} == inlay::source_position{2, 3});
}
