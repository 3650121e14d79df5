// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/window_tiles.hpp>

#include <cstdint>
#include <map>
#include <random>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::simd;

TEST_CASE("segments of tiles hold each element inside the row that a window reads, and no other") {
    std::mt19937 random(1);
    const auto pick = [&](int low, int high) { return std::uniform_int_distribution<std::ptrdiff_t>(low, high)(random); };
    int made = 0;
    for (int round = 0; round < 300; ++round) {
        window_shape s;
        s.inputs = pick(1, 20);
        s.kernel = {1, pick(1, 3), pick(1, 4)};
        s.strides = {1, 1, pick(1, 2)};
        s.dilations = {1, 1, pick(1, 2)};
        s.before = {0, 0, pick(0, 2)};
        s.x = {1, 5, pick(4, 12)};
        const std::ptrdiff_t span = (s.kernel[2] - 1) * s.dilations[2] + 1;
        if (s.x[2] + 2 * s.before[2] < span) continue;
        s.y = {1, 5, (s.x[2] + 2 * s.before[2] - span) / s.strides[2] + 1};
        const layout orders[] = {layout::plain(), layout::channels_last(), layout::channels_blocked(8)};
        const image_order x = image_order::of(orders[round % 3], s.inputs, s.x);
        const auto tiles = window_tiles::make(s, x, static_cast<std::size_t>(pick(2, 6)));
        if (!tiles) continue;
        ++made;
        std::ptrdiff_t places = 0;
        for (const window_tiles::tile& t : tiles->tiles()) {
            CHECK(t.place == places);
            places += static_cast<std::ptrdiff_t>(t.rows);
            const auto range = tiles->segments(t, 0, tiles->window_rows());
            // By row of the tile and depth: the offset from the row's own beginning.
            std::map<std::pair<std::ptrdiff_t, std::ptrdiff_t>, std::ptrdiff_t> read, wanted;
            for (std::size_t i = 0; i < range.count; ++i) {
                const segment& g = range.first[i];
                const std::ptrdiff_t begin = g.rows == segment::part::but_first,
                                     end = static_cast<std::ptrdiff_t>(t.rows) - (g.rows == segment::part::but_last);
                for (std::ptrdiff_t r = begin; r < end; ++r)
                    for (std::uint32_t k = 0; k < g.depth; ++k) CHECK(read.emplace(std::pair(r, g.b + k), g.a + k).second);
            }
            std::ptrdiff_t depth = 0;
            window_tiles::for_each_depth(s, x, [&](std::ptrdiff_t c, std::ptrdiff_t, std::ptrdiff_t h, std::ptrdiff_t w) {
                for (std::ptrdiff_t r = 0; r < static_cast<std::ptrdiff_t>(t.rows); ++r) {
                    const std::ptrdiff_t column = (t.place + r) * s.strides[2] - s.before[2] + w * s.dilations[2];
                    if (column >= 0 && column < s.x[2])
                        wanted[{r, depth}] = x.channel(c) + h * x.stride[1] + w * s.dilations[2] * x.stride[2];
                }
                ++depth;
            });
            CHECK(read == wanted);
        }
        CHECK(places == s.y[2]);
    }
    CHECK(made > 100);
}

TEST_CASE("the best tile is no larger than the kernels are") {
    kernel_table t;
    t.lanes = 8;
    const std::size_t rows[4] = {12, 6, 4, 3};
    std::copy(rows, rows + 4, t.rows);
    for (const std::size_t places : {1u, 7u, 14u, 56u, 3136u})
        for (const std::size_t columns : {1u, 8u, 24u, 64u, 1000u}) {
            const tile_size size = best_tile(t, places, columns);
            CHECK(size.rows >= 1);
            CHECK(size.rows <= t.rows[size.vectors - 1]);
        }
    // One vector of columns needs no second one.
    CHECK(best_tile(t, 56, 8).vectors == 1);
}
