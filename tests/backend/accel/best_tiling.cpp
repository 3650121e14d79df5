// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/accel/best_tiling.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include "layers.hpp"

using namespace accel_test;

TEST_CASE("the tiling that is chosen is the best of all, and bounds are below what they bound [accel.tiling]") {
    std::size_t pruned = 0;
    for (std::uint32_t seed = 0; seed < 120; ++seed) {
        CAPTURE(seed);
        some s(seed);
        const accel_machine m = s.a_machine();
        const layer l = s.a_layer();
        const auto all = tilings_of(l, m);
        const auto chosen = best_tiling(l, m, 100'000);
        REQUIRE(chosen.has_value() == !all.empty());
        if (all.empty()) continue;
        std::int64_t best = 0;
        for (const tiling& t : all) {
            const auto timeline = timeline_of(steps_of(m, tile_program(l, m, t)));
            REQUIRE(timeline);
            CHECK(least_cycles(l, m, t) <= timeline->total);
            CHECK(compute_cycles(l, m, t) == timeline->busy[1]);
            best = best == 0 ? timeline->total : std::min(best, timeline->total);
        }
        CHECK(chosen->cycles == best);
        CHECK(chosen->bound == best);
        CHECK(chosen->all == all.size());
        pruned += chosen->timed < chosen->all ? 1 : 0;
        const auto few = best_tiling(l, m, 1);
        REQUIRE(few);
        CHECK(few->bound <= best);
        CHECK(few->cycles >= best);
    }
    CHECK(pruned > 50);
}

TEST_CASE("a memory that holds no tile is told with what one needs [accel.tiling.refused]") {
    accel_machine m;
    m.array = {32, 32, array_flow::weight_stationary};
    m.scratchpad_bytes = 1024;
    layer l;
    l.channels = 64;
    l.filters = 64;
    CHECK(best_tiling(l, m).failure().message ==
          "no tile of the layer fits: one place of 32 output channels needs 2720 bytes of scratchpad and 128 of accumulator, and there are "
          "1024 "
          "and 65536");
}
