// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/term/capture_names.hpp>

#include <type_traits>

#include <doctest/doctest.h>

using inlay::capture_names;

static_assert(capture_names<>::size == 0);
static_assert(capture_names<>::slot("x") == capture_names<>::none);
static_assert(capture_names<"x", "w", "x">::size == 3, "a name may stand more than once");
static_assert(std::is_same_v<inlay::joined_names<>, capture_names<>>);
static_assert(
    std::is_same_v<inlay::joined_names<capture_names<"a">, capture_names<>, capture_names<"b", "a">>, capture_names<"a", "b", "a">>);

TEST_CASE("the slot of a name is where it stands first") {
    using names = capture_names<"x", "w", "x", "bias">;
    CHECK(names::slot("x") == 0);
    CHECK(names::slot("w") == 1);
    CHECK(names::slot("bias") == 3);
    CHECK(names::slot("bia") == names::none);
    CHECK(names::slot("") == names::none);
}
