// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cudnn/cudnn_convolution.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("a convolution is named by its window, channels and groups") {
    detail::convolution_layout c{{{1, 64, 9, 9}}, {{128, 32, 3, 5}}, {{1, 128, 7, 5}}, {{3, 5}, {0, 0}, {1, 1}, {1, 1}}, 2};
    CHECK(c.name() == "3 x 5 convolution of 64 to 128 channels in 2 groups");
    c.groups = 1;
    CHECK(c.name() == "3 x 5 convolution of 64 to 128 channels");
}
