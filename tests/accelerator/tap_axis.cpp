// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/accelerator/tap_axis.hpp>

#include <cstdint>
#include <random>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("places whose tap stands in the image are one run, found without looking at each") {
    std::mt19937 random(7);
    const auto from = [&](int low, int high) { return low + static_cast<std::int64_t>(random() % static_cast<unsigned>(high - low + 1)); };
    std::int64_t outside = 0;
    for (int i = 0; i < 3000; ++i) {
        const tap_axis a{from(1, 9), from(1, 9), from(1, 4), from(1, 3), from(1, 3), from(0, 5)};
        std::int64_t all = 0;
        for (std::int64_t tap = 0; tap < a.taps; ++tap) {
            const tap_axis::run run = a.places_inside(tap);
            CHECK(run.first <= run.past);
            for (std::int64_t at = 0; at < a.out; ++at) {
                const bool is_inside = a.place(at, tap) >= 0 && a.place(at, tap) < a.in;
                CHECK(is_inside == (at >= run.first && at < run.past));
                all += is_inside ? 1 : 0;
            }
        }
        CHECK(a.taps_inside() == all);
        outside += a.taps * a.out - all;
    }
    CHECK(outside > 1000);
}
