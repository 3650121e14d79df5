// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/cost/roofline.hpp>

#include <doctest/doctest.h>

namespace {
constexpr inlay::machine_peaks peaks{8.0, 4.0, 0.5};
}

static_assert(inlay::roofline_seconds(0, 0, peaks) == 0.5);
static_assert(inlay::roofline_seconds(16, 4, peaks) == 2.5);

TEST_CASE("work takes as long as arithmetic or memory needs, whichever is longer, and the launch beside") {
    CHECK(inlay::roofline_seconds(80, 4, peaks) == doctest::Approx(10.5));
    CHECK(inlay::roofline_seconds(8, 40, peaks) == doctest::Approx(10.5));
    for (double flops = 0; flops < 100; flops += 10)
        CHECK(inlay::roofline_seconds(flops + 10, 20, peaks) >= inlay::roofline_seconds(flops, 20, peaks));
}
