// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/accel/tiling.hpp>

#include <algorithm>

#include <doctest/doctest.h>

using namespace inlay::accel_parts;

TEST_CASE("tilings of a layer that is not small are cut by halves, fit the machine, and are told apart") {
    accel_machine m;
    layer l;
    l.y.in = l.y.out = 14;
    l.x.in = l.x.out = 14;
    l.channels = l.filters = 64;
    const auto all = tilings_of(l, m);
    REQUIRE_FALSE(all.empty());
    for (const tiling& t : all) {
        CHECK(tile_sizes::of(l, m, t).fit(m));
        CHECK(std::count(all.begin(), all.end(), t) == 1);
    }
    CHECK(to_string(tiling{4, 14, 2, kept_operand::none, 700}) == "rows 4, columns 14, blocks 2, keeps nothing, streams 700");
    CHECK(to_string(tiling{4, 14, 2, kept_operand::inputs}) == "rows 4, columns 14, blocks 2, keeps inputs");
    CHECK(to_string(tiling{4, 14, 2, kept_operand::inputs, 0, true}) == "rows 4, columns 14, blocks 2, keeps inputs in place");
    m.accumulator_bytes = 256;
    for (const tiling& t : tilings_of(l, m)) CHECK(t.rows * t.columns * t.blocks <= 4);
}
