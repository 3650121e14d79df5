// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/loop_nest.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("kinds of loops have names, and rounds of most may run at one time [loops.nest.kinds]") {
    for (std::size_t i = 0; i <= static_cast<std::size_t>(loop_kind::thread_z); ++i) {
        const auto k = static_cast<loop_kind>(i);
        CHECK(loop_kind_named(name_of(k)) == k);
        CHECK(is_concurrent(k) == (k != loop_kind::serial && k != loop_kind::unrolled));
    }
    CHECK_FALSE(loop_kind_named("quick"));
    CHECK(name_of(buffer_scope::stack) == "stack");
}

TEST_CASE("a buffer spans from its first element to its last, and nothing where an extent is 0") {
    CHECK(element_span({"b", element_type::float32, {2, 3}, {3, 1}, buffer_scope::stack}) == 6);
    CHECK(element_span({"b", element_type::float32, {2, 3}, {1, 4}, buffer_scope::stack}) == 10);
    CHECK(element_span({"b", element_type::float32, {0, 4}, {4, 1}, buffer_scope::stack}) == 0);
    CHECK(element_span({"b", element_type::float32, {}, {}, buffer_scope::stack}) == 1);
}
