// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/image_order.hpp>

#include <doctest/doctest.h>

using namespace inlay;
using extents = std::vector<std::int64_t>;

TEST_CASE("axes and numbers move with the channels") {
    const extents e{2, 3, 4, 5}, last = detail::xnnpack_channels_last(e);
    CHECK(last == extents{2, 4, 5, 3});
    for (std::size_t axis = 0; axis < 4; ++axis) CHECK(last[detail::xnnpack_axis_in_channels_last(axis)] == e[axis]);
    std::vector<float> plain;
    for (int i = 0; i < 120; ++i) plain.push_back(static_cast<float>(i));
    const std::vector<float> moved = detail::xnnpack_channels_last(plain, e);
    for (std::size_t n = 0; n < 2; ++n)
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t s = 0; s < 20; ++s) CHECK(moved[(n * 20 + s) * 3 + c] == plain[(n * 3 + c) * 20 + s]);
}

TEST_CASE("one channel, and one place, lie the same in both orders") {
    CHECK(detail::xnnpack_lies_the_same({2, 1, 4, 5}));
    CHECK(detail::xnnpack_lies_the_same({2, 3, 1, 1}));
    CHECK_FALSE(detail::xnnpack_lies_the_same({2, 3, 1, 2}));
}
