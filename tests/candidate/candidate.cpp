// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/candidate.hpp>

#include <type_traits>

#include <doctest/doctest.h>

static_assert(std::is_copy_constructible_v<inlay::candidate_set> && std::is_nothrow_move_constructible_v<inlay::candidate_set>);

TEST_CASE("a candidate and a refusal that nobody filled in name no node") {
    const inlay::candidate c;
    CHECK(c.root == inlay::no_node);
    CHECK(c.nodes.empty());
    const inlay::refusal r;
    CHECK(r.root == inlay::no_node);
    CHECK(r.reason.empty());
}
