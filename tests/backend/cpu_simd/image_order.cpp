// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/image_order.hpp>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::simd;

TEST_CASE("an image's floats stand where its layout says") {
    const spatial extents{1, 4, 5};
    const image_order plain = image_order::of(layout::plain(), 20, extents);
    CHECK(plain.channel(3) == 60);
    CHECK(plain.stride == spatial{20, 5, 1});
    CHECK(plain.run(3) == 1);
    CHECK(plain.image == 400);
    const image_order last = image_order::of(layout::channels_last(), 20, extents);
    CHECK(last.channel(3) == 3);
    CHECK(last.stride == spatial{400, 100, 20});
    CHECK(last.run(3) == 17);
    CHECK_FALSE(last.fills());
    const image_order blocked = image_order::of(layout::channels_blocked(16), 20, extents);
    CHECK(blocked.channel(17) == 16 * 20 + 1);
    CHECK(blocked.stride == spatial{320, 80, 16});
    CHECK(blocked.run(3) == 13);
    CHECK(blocked.run(17) == 3);
    CHECK(blocked.image == 32 * 20);
    CHECK(blocked.fills());
    CHECK(blocked.stored() == 32);
    CHECK(last.stored() == 20);
    CHECK(blocks_for(16) == layout::channels_blocked(16));
    CHECK(blocks_for(4) == layout::channels_blocked(8));
}

TEST_CASE("numbers of fewer axes stand along the last ones") {
    CHECK(spatial_of({3, 5}, 1) == spatial{1, 3, 5});
    CHECK(spatial_of({2, 7, 9}, 0, 2) == spatial{0, 0, 9});
}
