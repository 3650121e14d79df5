// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/panel_walk.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

using inlay::simd::each_tile;
using inlay::simd::panel_walk;

TEST_CASE("a walk visits each row of each panel once, in either order") {
    for (const std::size_t rows : {1u, 7u, 100u})
        for (const std::size_t panels : {1u, 5u})
            for (const std::size_t weights : {std::size_t{1}, panel_walk::near_weights + 1})
                for (const std::size_t wanted : {1u, 16u}) {
                    const panel_walk w = panel_walk::of(rows, panels, weights, 30, 4, 2, wanted);
                    CHECK(w.block % 4 == 0);
                    std::vector<int> seen(rows * panels, 0);
                    for (std::size_t u = 0; u < w.units(); ++u) {
                        const auto [panel, first, past] = w.at(u);
                        for (std::size_t r = first; r < past; ++r) ++seen[panel * rows + r];
                    }
                    CHECK(seen == std::vector<int>(rows * panels, 1));
                }
}

TEST_CASE("weights that leave the cache are walked over once, others for each block") {
    const panel_walk far = panel_walk::of(100, 3, panel_walk::near_weights + 1, 10, 1, 1, 1);
    CHECK(far.at(0).panel == 0);
    CHECK(far.at(9).panel == 0);
    CHECK(far.at(10).panel == 1);
    const panel_walk near = panel_walk::of(100, 3, 1, 10, 1, 1, 1);
    CHECK(near.at(2).panel == 2);
    CHECK(near.at(3).first == 10);
}

TEST_CASE("as many units as are wanted come of smaller blocks") {
    CHECK(panel_walk::of(100, 2, 1, 100, 1, 1, 1).units() == 2);
    CHECK(panel_walk::of(100, 2, 1, 100, 1, 1, 16).units() >= 16);
    CHECK(panel_walk::of(3, 1, 1, 100, 1, 1, 16).units() == 3);
}

TEST_CASE("tiles make up all rows, none higher than allowed, about as high as each other") {
    for (const std::size_t rows : {1u, 5u, 12u, 13u, 100u}) {
        std::size_t next = 0, least = 100, most = 0;
        each_tile(rows, 12, [&](std::size_t row, std::size_t n) {
            CHECK(row == next);
            next += n;
            least = std::min(least, n);
            most = std::max(most, n);
        });
        CHECK(next == rows);
        CHECK(most <= 12);
        CHECK(most - least <= 1);
    }
    each_tile(0, 12, [](std::size_t, std::size_t) { FAIL("there are no rows"); });
}
