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
                for (std::size_t i = 0; i < tap.at.size(); ++i) {
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
        for (const std::int64_t at : tap.at) CHECK((at >= 0 && at < 5));
    }
}

TEST_CASE("a coordinate is computed in float32, step by step, so that it meets integers and halves [ops.resize.in-float]") {
    // In double, 1.5 / 0.6f - 0.5 is a little less than 2, and 0.2f * 3 + 0.6f * 3 / 2 a little more than 1.5.
    CHECK(original_coordinate({5, 3, 0.6f}, coordinate_mode::half_pixel, 1) == 2);
    CHECK(original_coordinate({4, 3, 0.75, 0.2f, 0.8f}, coordinate_mode::tf_crop_and_resize, 1) == 1.5);
    // Half a place less what float32 loses of it is still half a place.
    CHECK(original_coordinate({7, 8, 8.0f / 7}, coordinate_mode::asymmetric, 4) < 3.5);
    CHECK(resize_tap_of({7, 8, 8.0f / 7}, {coordinate_mode::asymmetric, interpolation::nearest, nearest_rounding::round_prefer_ceil}, 4)
              .at[0] == 4);
    CHECK(resize_tap_of({5, 3, 0.6f}, {coordinate_mode::half_pixel, interpolation::nearest, nearest_rounding::floor}, 1).at[0] == 2);
}

TEST_CASE("align_corners takes the resized length before it is rounded down if the model gives a scale") {
    resized_axis a{4, 2, 0.6f};
    CHECK(original_coordinate(a, coordinate_mode::align_corners, 1) == 3);
    a.by_scale = true;
    CHECK(original_coordinate(a, coordinate_mode::align_corners, 1) == doctest::Approx(3 / 1.4));
}

TEST_CASE("an antialiased kernel is as many times wider as an axis becomes shorter [ops.resize.antialias]") {
    resize_rule rule{coordinate_mode::half_pixel, interpolation::linear};
    rule.antialias = true;
    // Place 1.5 of 8 elements: distances 0.5, 1.5, 2.5 and 3.5 times a quarter.
    const resize_tap tap = resize_tap_of({8, 2, 0.25}, rule, 0);
    REQUIRE(tap.at.size() == 8);
    CHECK(tap.first == -2);
    const double weights[] = {1.0 / 32, 3.0 / 32, 5.0 / 32, 7.0 / 32, 7.0 / 32, 5.0 / 32, 3.0 / 32, 1.0 / 32};
    for (std::size_t i = 0; i < 8; ++i) CHECK(tap.weight[i] == doctest::Approx(weights[i]));
    // An axis that becomes longer has the usual kernel.
    CHECK(resize_tap_of({2, 4, 2}, rule, 1).weight == std::vector<double>{0.75, 0.25});
    rule.exclude_outside = true;
    const resize_tap inside = resize_tap_of({8, 2, 0.25}, rule, 0);
    CHECK(inside.weight[0] == 0);
    CHECK(inside.weight[2] == doctest::Approx(5.0 / 28));
}

TEST_CASE("an axis with the scale 1 is carried along by every rule") {
    for (const auto mode : {coordinate_mode::tf_half_pixel_for_nn, coordinate_mode::half_pixel}) {
        const auto taps = resize_taps({3, 3, 1}, {mode, interpolation::nearest, nearest_rounding::ceil});
        for (std::int64_t i = 0; i < 3; ++i) CHECK(taps[static_cast<std::size_t>(i)].at == std::vector<std::int64_t>{i});
    }
}
