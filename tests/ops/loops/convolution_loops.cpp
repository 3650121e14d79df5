// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/convolution_loops.hpp>

#include <doctest/doctest.h>

TEST_CASE("A tap of a convolution meets the input place that its window puts under it") {
    inlay::window w;
    w.kernel = 3;
    w.stride = 2;
    w.dilation = 2;
    w.before = 1;
    CHECK(inlay::detail::place_under(w, false, 0, 0, 5) == -1);
    CHECK(inlay::detail::place_under(w, false, 1, 0, 5) == 1);
    CHECK(inlay::detail::place_under(w, false, 2, 1, 5) == -1);
    CHECK(inlay::detail::place_under(w, true, 0, 1, 5) == 1);
    CHECK(inlay::detail::place_under(w, true, 0, 2, 5) == -1);
    CHECK(inlay::detail::place_under(w, true, 2, 1, 5) == -1);
}

TEST_CASE("Columns under a tap are filled as place by place, in either direction and from any column on") {
    const std::vector<float> row{1, 2, 3, 4, 5};
    for (std::int64_t stride = 1; stride < 4; ++stride)
        for (std::int64_t dilation = 1; dilation < 3; ++dilation)
            for (std::int64_t before = 0; before < 4; ++before)
                for (std::int64_t tap = 0; tap < 3; ++tap)
                    for (std::int64_t first = 0; first < 4; ++first)
                        for (const bool transposed : {false, true}) {
                            inlay::window w;
                            w.kernel = 3;
                            w.stride = stride;
                            w.dilation = dilation;
                            w.before = before;
                            std::vector<double> expected, got(9, -1.0);
                            for (std::int64_t o = first; o < first + 9; ++o) {
                                const std::int64_t at = inlay::detail::place_under(w, transposed, tap, o, 5);
                                expected.push_back(at < 0 ? 0.0 : static_cast<double>(row[static_cast<std::size_t>(at)]));
                            }
                            inlay::detail::fill_columns(got.data(), row.data(), w, transposed, tap, first, first + 9, 5);
                            CHECK(got == expected);
                        }
}

TEST_CASE("A convolution without input channels gives its bias, and one without places gives nothing") {
    inlay::convolution_extents c;
    c.in_channels = 0;
    c.out = {1, 1, 2};
    const float bias = 3;
    std::vector<float> y(2, 0.0f);
    CHECK(inlay::convolve<float>(c, nullptr, nullptr, &bias, y.data()));
    CHECK(y == std::vector<float>{3, 3});
    c.out = {0, 1, 2};
    CHECK(inlay::convolve<float>(c, nullptr, nullptr, nullptr, nullptr));
}
