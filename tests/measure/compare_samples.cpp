// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/compare_samples.hpp>

#include <limits>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("elements of blocked and channels-last layouts are where the layout has them [measure.compare]") {
    const std::vector<std::int64_t> extents{2, 3, 2, 1};
    CHECK(stored_place(extents, layout::plain(), 7) == 7);
    // Image 1, channel 0, place 1.
    CHECK(stored_place(extents, layout::channels_last(), 7) == 9);
    CHECK(stored_place(extents, layout::channels_blocked(4), 7) == 12);
    // Image 1, channel 2, place 0.
    CHECK(stored_place(extents, layout::channels_blocked(4), 10) == 10);
}

TEST_CASE("an element that is off by more than its bound is said with its place [measure.compare]") {
    const expected_samples expected{{1, 5}, {2, -3}, {0.5, 0}};
    const format f = plain_format(element_type::float32);
    std::vector<float> found{0, 2.25f, 0, 0, 0, -3};
    const auto right = compare_samples(expected, found.data(), f, {2, 3}, 0);
    REQUIRE(right.has_value());
    CHECK(*right == doctest::Approx(0.5));
    found[5] = -3.5f;
    const auto wrong = compare_samples(expected, found.data(), f, {2, 3}, 1);
    REQUIRE_FALSE(wrong.has_value());
    CHECK(wrong.failure().message == "it gives -3.5 at result 1[1,2], expected -3");
    found[5] = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(compare_samples(expected, found.data(), f, {2, 3}, 0));
}
