// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/channel_rows.hpp>

#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::simd;

TEST_CASE("every row of every vector of channels comes once, with the rows of its window that lie inside") {
    channel_rows k;
    k.shape.outputs = 20;
    k.shape.kernel = {1, 3, 3};
    k.shape.strides = {1, 2, 2};
    k.shape.before = {0, 1, 1};
    k.shape.x = {1, 6, 5};
    k.shape.y = {1, 3, 3};
    k.x = image_order::of(layout::channels_blocked(16), 20, k.shape.x);
    k.y = image_order::of(layout::channels_blocked(16), 20, k.shape.y);
    k.images = 2;
    k.lanes = 8;
    std::vector<float> x(static_cast<std::size_t>(2 * k.x.image)), y(static_cast<std::size_t>(2 * k.y.image));
    std::vector<int> seen(y.size(), 0);
    k.for_each<row_of_windows>(x.data(), y.data(), {}, 1, [&](const row_of_windows& row, std::ptrdiff_t channel) {
        const std::ptrdiff_t at = row.y - y.data();
        for (std::size_t p = 0; p < row.places; ++p)
            for (std::size_t lane = 0; lane < k.lanes; ++lane)
                ++seen[static_cast<std::size_t>(at + static_cast<std::ptrdiff_t>(p) * row.y_place) + lane];
        CHECK(row.columns == (channel == 16 ? 4 : channel == 24 ? 0 : 8));
        CHECK(row.fills);
        // The first row's window begins above the image.
        const bool is_first = at % (k.y.places() * 16) / k.y.stride[1] == 0;
        CHECK(row.rows_begin == (is_first ? 1 : 0));
        CHECK(row.rows_end == 3);
    });
    CHECK(seen == std::vector<int>(y.size(), 1));
}
