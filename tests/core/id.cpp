// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/id.hpp>

#include <limits>
#include <type_traits>

#include <doctest/doctest.h>

static_assert(std::is_unsigned_v<inlay::node_id> && sizeof(inlay::node_id) == 4);
static_assert(std::is_unsigned_v<inlay::block_id> && std::is_unsigned_v<inlay::backend_id>);

TEST_CASE("the node that is missing is behind every node that is there") {
    CHECK(inlay::no_node == std::numeric_limits<inlay::node_id>::max());
    CHECK(static_cast<inlay::node_id>(inlay::no_node + 1) == 0);
}
