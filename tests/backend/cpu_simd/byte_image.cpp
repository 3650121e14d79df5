// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/byte_image.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("the taps of a window that stand in the image are counted") {
    const tap_axis a{7, 4, 3, 2, 2, 3};  // windows begin at -3, -1, 1 and 3
    using simd::byte_image;
    CHECK(byte_image::inside(a, 0).first == 1);
    CHECK(byte_image::inside(a, 0).count == 1);
    CHECK(byte_image::inside(a, 1).first == 1);
    CHECK(byte_image::inside(a, 1).count == 2);
    CHECK(byte_image::inside(a, 2).count == 3);
    CHECK(byte_image::inside(a, 3).count == 2);
    CHECK(byte_image::inside(a, 0).number == 2);
    CHECK(byte_image::inside(a, 2).number == 0);
    const tap_axis beside{2, 6, 2, 1, 1, 3};  // windows begin at -3 to 2
    CHECK(byte_image::inside(beside, 0).count == 0);
    CHECK(byte_image::inside(beside, 2).count == 1);
    CHECK(byte_image::inside(beside, 5).count == 0);
}
