// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/limits.hpp>

#include <type_traits>

#include <doctest/doctest.h>

static_assert(std::is_aggregate_v<inlay::limits>, "a back end writes its limits as a braced list");

TEST_CASE("limits limit nothing until they are set") {
    constexpr inlay::limits none;
    CHECK(none.nodes == 0);
    CHECK(none.bytes == 0);
    constexpr inlay::limits only_nodes{.nodes = 12};
    CHECK(only_nodes.nodes == 12);
    CHECK(only_nodes.bytes == 0);
}
