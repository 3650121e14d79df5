// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/nest/loop_nest.hpp>

#include <cstdint>
#include <vector>

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

TEST_CASE("a window runs along the axes that it names, or along the last ones [loops.nest.windows]") {
    const nest_place plain{0, {affine(), affine(), affine()}}, turned{0, plain.at, {{2, 3}, {0, 1}}};
    const std::vector<std::int64_t> strides{40, 10, 2}, extents{4, 5};
    CHECK(axes_of(plain, 2) == std::vector<window_axis>{{1, 1}, {2, 1}});
    CHECK(axes_of(turned, 2) == turned.along);
    CHECK(window_strides(plain, 2, strides) == std::vector<std::int64_t>{10, 2});
    CHECK(window_strides(turned, 2, strides) == std::vector<std::int64_t>{6, 40});
    CHECK(reach_of(plain, extents) == std::vector<std::int64_t>{0, 3, 4});
    CHECK(reach_of(turned, extents) == std::vector<std::int64_t>{4, 0, 9});
    // Two axes along one; no elements; more than 64 bits count.
    CHECK(reach_of({0, plain.at, {{1, 2}, {1, 1}}}, extents) == std::vector<std::int64_t>{0, 10, 0});
    CHECK(reach_of(plain, std::vector<std::int64_t>{0, 1}) == std::vector<std::int64_t>{0, 0, 0});
    CHECK(reach_of(turned, std::vector<std::int64_t>{INT64_MAX, 2})[2] == INT64_MAX);
}

TEST_CASE("a buffer spans from its first element to its last, and nothing where an extent is 0") {
    CHECK(element_span({"b", element_type::float32, {2, 3}, {3, 1}, buffer_scope::stack}) == 6);
    CHECK(element_span({"b", element_type::float32, {2, 3}, {1, 4}, buffer_scope::stack}) == 10);
    CHECK(element_span({"b", element_type::float32, {0, 4}, {4, 1}, buffer_scope::stack}) == 0);
    CHECK(element_span({"b", element_type::float32, {}, {}, buffer_scope::stack}) == 1);
}
