// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/with_axes.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

using inlay::detail::with_axes;
using list = std::vector<std::int64_t>;

TEST_CASE("axes that are missing stand in front, and none is taken away") {
    CHECK(with_axes({3}, 3) == list{1, 1, 3});
    CHECK(with_axes({5, 1, 1}, 4) == list{1, 5, 1, 1});
    CHECK(with_axes({3, 4}, 1) == list{3, 4});
    CHECK(with_axes({}, 0).empty());
    CHECK(with_axes({8, 1}, 3, 0) == list{0, 8, 1});
}
