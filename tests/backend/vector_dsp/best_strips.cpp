// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/vector_dsp/best_strips.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "strips.hpp"

#include <doctest/doctest.h>

using namespace dsp_test;

TEST_CASE("the cut into strips that is chosen is the best of all, and bounds are below what they bound [vector_dsp.best]") {
    std::size_t pruned = 0, tight = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        some s(seed);
        const dsp_machine m = s.a_machine();
        const strip_layer l = s.a_layer();
        const auto all = strip_cuts_of(l, m);
        const auto chosen = best_strips(l, m, 100'000);
        REQUIRE(chosen.has_value() == !all.empty());
        if (all.empty()) continue;
        std::int64_t best = 0;
        for (const strip_cut& c : all) {
            const auto timeline = timeline_of(steps_of(m, strip_program(l, m, c)));
            REQUIRE(timeline);
            CHECK(least_cycles(l, m, c) <= timeline->total);
            CHECK(compute_cycles(l, m, c) == timeline->busy[1]);
            best = best == 0 ? timeline->total : std::min(best, timeline->total);
            tight += least_cycles(l, m, c) == timeline->total ? 1 : 0;
        }
        CHECK(chosen->cycles == best);
        CHECK(chosen->bound == best);
        CHECK(chosen->all == all.size());
        pruned += chosen->timed < chosen->all ? 1 : 0;
        const auto one = best_strips(l, m, 1);
        REQUIRE(one);
        CHECK(one->bound <= best);
        CHECK(one->cycles >= best);
    }
    CHECK(pruned > 100);
    CHECK(tight > 100);
}

TEST_CASE("a memory that holds no strip is told with what one needs [vector_dsp.best.refused]") {
    dsp_machine m;
    m.memory_bytes = 1024;
    strip_layer l;
    l.y = l.x = {64, 64, 3, 1, 1, 1};
    l.channels = 100;
    CHECK(best_strips(l, m).failure().message ==
          "no strip of the layer fits: one row of 64 channels needs 51456 bytes of memory, and there are 1024");
    l.x = {1, 20000, 1, 1, 1, 0};
    l.y = {1, 1, 1, 1, 1, 0};
    l.work = strip_work::maximum;
    l.channels = 4;
    m.memory_bytes = 1 << 20;
    CHECK(best_strips(l, m).failure().message == "instructions have no bits for the extents of the layer");
}
