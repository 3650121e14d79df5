// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/runs_along_axis.hpp>

#include <doctest/doctest.h>

using namespace inlay;
using inlay::detail::run_along_axis;

TEST_CASE("a run holds an axis and all that lies within it, in each layout") {
    CHECK(run_along_axis({2, 20, 3, 5}, 0, layout::plain()) == 600);
    CHECK(run_along_axis({2, 20, 3, 5}, 1, layout::plain()) == 300);
    CHECK(run_along_axis({2, 20, 3, 5}, 3, layout::plain()) == 5);
    CHECK(run_along_axis({2, 20, 3, 5}, 1, layout::channels_last()) == 20);
    CHECK(run_along_axis({2, 20, 3, 5}, 3, layout::channels_last()) == 100);
    CHECK(run_along_axis({2, 20, 3, 5}, 2, layout::channels_last()) == 300);
    CHECK(run_along_axis({2, 20, 3, 5}, 1, layout::channels_blocked(16)) == 480);
    CHECK(run_along_axis({2, 20, 3, 5}, 0, layout::channels_blocked(16)) == 960);
}
