// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/strides.hpp>

#include <doctest/doctest.h>

using namespace inlay;
using list = std::vector<std::int64_t>;

TEST_CASE("Strides follow from extents") {
    CHECK(row_major_strides({2, 3, 4}) == list{12, 4, 1});
    CHECK(row_major_strides({}) == list{});
    CHECK(stretched_strides({3, 1}, {2, 3, 4}) == list{0, 1, 0});
    CHECK(stretched_strides({2, 3, 4}, {2, 3, 4}) == list{12, 4, 1});
    CHECK(stretched_strides({}, {2, 2}) == list{0, 0});
    CHECK(extent_product({2, 3, 4}, 1, 3) == 12);
    CHECK(extent_product({2, 3, 4}, 2, 2) == 1);
}
