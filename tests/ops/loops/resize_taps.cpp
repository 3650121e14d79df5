// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/resize_taps.hpp>

#include <doctest/doctest.h>

#include <limits>

using namespace inlay;

TEST_CASE("Each coordinate mode has its formula") {
    const resized_axis doubled{4, 8, 2.0};
    CHECK(original_coordinate(doubled, coordinate_mode::half_pixel, 0) == -0.25);
    CHECK(original_coordinate(doubled, coordinate_mode::pytorch_half_pixel, 7) == 3.25);
    CHECK(original_coordinate(doubled, coordinate_mode::asymmetric, 3) == 1.5);
    CHECK(original_coordinate(doubled, coordinate_mode::align_corners, 7) == 3);
    CHECK(original_coordinate({4, 1, 0.25}, coordinate_mode::align_corners, 0) == 0);
    CHECK(original_coordinate({4, 1, 0.25}, coordinate_mode::pytorch_half_pixel, 0) == 0);
    CHECK(original_coordinate({5, 3, 0.6, 0.5, 1.0}, coordinate_mode::tf_crop_and_resize, 1) == 3);
    CHECK(original_coordinate({5, 1, 0.2, 0.5, 1.0}, coordinate_mode::tf_crop_and_resize, 0) == 3);
    CHECK(original_coordinate({4, 2, 0.6}, coordinate_mode::half_pixel_symmetric, 0) ==
          doctest::Approx(2 * (1 - 2 / 2.4) + 0.5 / 0.6 - 0.5));
}

TEST_CASE("Nearest rounds as it is told and stays on the axis") {
    const resized_axis halves{4, 8, 2.0};  // asymmetric: places 0, 0.5, 1, 1.5, ...
    const auto at = [&](nearest_rounding r, std::int64_t x) {
        return resize_tap_of(halves, {coordinate_mode::asymmetric, interpolation::nearest, r}, x).at[0];
    };
    CHECK(at(nearest_rounding::round_prefer_floor, 1) == 0);
    CHECK(at(nearest_rounding::round_prefer_ceil, 1) == 1);
    CHECK(at(nearest_rounding::floor, 7) == 3);
    CHECK(at(nearest_rounding::ceil, 7) == 3);
    CHECK(at(nearest_rounding::ceil, 1) == 1);
}

TEST_CASE("Weights sum to one, excluded elements have none") {
    for (const auto mode : {interpolation::linear, interpolation::cubic})
        for (const bool exclude : {false, true})
            for (std::int64_t x = 0; x < 9; ++x) {
                const resize_rule rule{coordinate_mode::half_pixel, mode, nearest_rounding::floor, -0.5, exclude};
                const resize_tap tap = resize_tap_of({5, 9, 1.8}, rule, x);
                double sum = 0, mean = 0;
                for (int i = 0; i < tap.count; ++i) {
                    sum += tap.weight[i];
                    mean += tap.weight[i] * static_cast<double>(tap.at[i]);
                    CHECK(tap.at[i] >= 0);
                    CHECK(tap.at[i] < 5);
                }
                CHECK(sum == doctest::Approx(1));
                // Far from the ends both reproduce straight lines.
                const double c = original_coordinate({5, 9, 1.8}, coordinate_mode::half_pixel, x);
                if (c >= 1 && c <= 3) CHECK(mean == doctest::Approx(c));
            }
}

TEST_CASE("Numbers beyond all bounds stay on the axis and are outside") {
    const resize_rule rule{coordinate_mode::tf_crop_and_resize, interpolation::cubic};
    for (const double wild : {1e300, -1e300, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        const resize_tap tap = resize_tap_of({5, 3, 1.0, wild, 2.0}, rule, 0);
        CHECK(tap.outside);
        for (int i = 0; i < tap.count; ++i) CHECK((tap.at[i] >= 0 && tap.at[i] < 5));
    }
}
