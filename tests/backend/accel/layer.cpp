// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/accel/layer.hpp>

#include <doctest/doctest.h>

TEST_CASE("a layer without a window is one row of places") {
    inlay::accel_parts::layer l;
    l.images = 2;
    l.y.in = l.y.out = 3;
    l.x.in = l.x.out = 4;
    l.channels = 5;
    l.filters = 6;
    CHECK(l.flattened().x.out == 24);
    CHECK(l.flattened().y.out == 1);
    CHECK(l.flattened().macs() == l.macs());
    l.x.taps = 3;
    CHECK(l.flattened() == l);
    CHECK(l.macs() == 24 * 3 * 5 * 6);
    CHECK(l.x.place(2, 1) == 3);
}
