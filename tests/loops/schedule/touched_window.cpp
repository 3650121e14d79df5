// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/schedule/touched_window.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../nests.hpp"

using namespace inlay;

namespace {
outcome<detail::touched_window> window(const std::string& text, const std::string& loop, const std::string& buffer) {
    const detail::nest_edit edit(nests::parsed(text));
    return detail::window_in(edit, *edit.loop(loop), *edit.buffer(buffer));
}
}  // namespace

TEST_CASE("a round touches a window that begins where the loops outside say [loops.window.touched]") {
    const std::string tiled = R"(nest n {
        input x: float32[40, 8]
        output y: float32[5, 6]
        for i < 5 { for j < 6 { for k < 3 { y[i, j] = x[7*i + 2*k + 1, j] + x[7*i + k, j] } } }
    })";
    const auto at_i = window(tiled, "i", "x");
    REQUIRE(at_i);
    CHECK(at_i->origin == std::vector<affine>{affine::of(0, 7), affine()});
    CHECK(at_i->extents == std::vector<std::int64_t>{6, 6});
    const auto at_j = window(tiled, "j", "x");
    REQUIRE(at_j);
    CHECK(at_j->origin == std::vector<affine>{affine::of(0, 7), affine::of(1)});
    CHECK(at_j->extents == std::vector<std::int64_t>{6, 1});
    CHECK(at_j->inside({affine::of(0, 7) + affine(2), affine::of(1)}) == std::vector<affine>{affine(2), affine()});
    CHECK(at_j->outside({affine(2), affine()}) == std::vector<affine>{affine::of(0, 7) + affine(2), affine::of(1)});
}

TEST_CASE("a round touches what its calls are given [loops.window.touched]") {
    const std::string called = R"(nest n {
        input x: float32[9, 12]
        output y: float32[3, 2]
        intrinsic f { input a: float32[2, 3] strides [9, 9] output b: float32[2] for k < 2 { b[k] = a[k, 2] } }
        for i < 3 { call f(x[3*i, 4] along [0 by 2, 1 by 3], y[i, 0]) }
    })";
    const auto at_i = window(called, "i", "x");
    REQUIRE(at_i);
    CHECK(at_i->origin == std::vector<affine>{affine::of(0, 3), affine(4)});
    CHECK(at_i->extents == std::vector<std::int64_t>{3, 7});
}

TEST_CASE("a window that hangs over both ends is the axis; over one end it stands within bounds [loops.window.touched]") {
    const auto whole = window(nests::blur, "i", "x");
    REQUIRE(whole);
    CHECK(whole->extents == std::vector<std::int64_t>{3});
    CHECK(whole->origin.front() == affine::of(0) - affine(1));
    const nest_buffer x{"x", element_type::float32, {9}, {1}, buffer_scope::input};
    CHECK(whole->bounds(x, whole->outside({affine()}), {9, 3}).size() == 1);
    const auto all = window(
        "nest n { input x: float32[4] output y: float32[9] for o < 1 { for i < 9 { y[i] = within(0 <= i - 2 < 4, x[i - 2], "
        "0.0) } } }",
        "o", "x");
    REQUIRE(all);
    CHECK(all->origin == std::vector<affine>{affine()});
    CHECK(all->extents == std::vector<std::int64_t>{4});
}

TEST_CASE("places that follow the loops outside in different ways have no window [loops.window.refused]") {
    const auto none = window("nest n { input x: float32[20] output y: float32[4] for i < 4 { y[i] = x[i] + x[2*i] } }", "i", "x");
    REQUIRE_FALSE(none);
    CHECK(none.failure().message ==
          "places of 'x' in the loop over 'i' do not follow the loops outside alike, so that no window has them all");
    const auto unused = window("nest n { input x: float32[20] output y: float32[4] for i < 4 { y[i] = 0.0 } }", "i", "x");
    CHECK(unused.failure().message == "there is no use of 'x' in the loop over 'i'");
}
