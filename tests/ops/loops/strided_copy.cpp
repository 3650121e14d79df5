// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/strided_copy.hpp>

#include <doctest/doctest.h>

#include <vector>

TEST_CASE("A copy reads where the steps say, backwards and standing still too") {
    const inlay::tensor x = inlay::tensor::of<std::int16_t>({2, 3}, std::vector<std::int16_t>{1, 2, 3, 4, 5, 6});
    inlay::tensor y(inlay::element_type::int16, {2, 2, 3});
    inlay::copy_strided(x, 5, {-3, 0, -1}, y);
    CHECK(std::vector<std::int16_t>(y.as<std::int16_t>().begin(), y.as<std::int16_t>().end()) ==
          std::vector<std::int16_t>{6, 5, 4, 6, 5, 4, 3, 2, 1, 3, 2, 1});
    inlay::tensor one(inlay::element_type::int16, {});
    inlay::copy_strided(x, 2, {}, one);
    CHECK(one.as<std::int16_t>()[0] == 3);
    inlay::tensor nothing(inlay::element_type::int16, {3, 0});
    inlay::copy_strided(x, 0, {1, 1}, nothing);
    CHECK(nothing.count() == 0);
}
