// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/quantized_number.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("steps are rounded half to even, moved, and cut to the range of their type") {
    CHECK(quantized_number<std::int8_t>(0.5f, 0) == 0);
    CHECK(quantized_number<std::int8_t>(1.5f, 0) == 2);
    CHECK(quantized_number<std::int8_t>(-2.5f, 0) == -2);
    CHECK(quantized_number<std::int8_t>(126.6f, 1) == 127);
    CHECK(quantized_number<std::int8_t>(-1e30f, 127) == -128);
    CHECK(quantized_number<std::uint8_t>(-3, 2) == 0);
    CHECK(quantized_number<std::uint8_t>(std::numeric_limits<float>::infinity(), 0) == 255);
    CHECK(quantized_number<std::uint16_t>(65534.5f, 0) == 65534);
    CHECK(quantized_number<std::int16_t>(NAN, 5) == 0);
    CHECK(requantized_number<std::int8_t>(1000, 0.0125f, -3) == 9);
}

TEST_CASE("numbers along an axis belong to its places") {
    const auto one = numbers_along_axis::of({2, 3, 4}, 1, 1), three = numbers_along_axis::of({2, 3, 4}, 1, 3);
    CHECK(one.at(23) == 0);
    CHECK(three.at(0) == 0);
    CHECK(three.at(4) == 1);
    CHECK(three.at(11) == 2);
    CHECK(three.at(12) == 0);
    // Blocks of two of five places, for each of two rows and columns.
    const auto blocks = numbers_along_axis::in_blocks({2, 5, 2}, 1, 2, 12);
    CHECK(blocks.at(0) == 0);
    CHECK(blocks.at(3) == 1);
    CHECK(blocks.at(4) == 2);
    CHECK(blocks.at(9) == 5);
    CHECK(blocks.at(10) == 6);
    CHECK(blocks.at(19) == 11);
    CHECK(whole_number_at(tensor::of<std::uint8_t>({1}, {200}), 0) == 200);
    CHECK(whole_number_at(tensor::of<std::int16_t>({1}, {-200}), 0) == -200);
}
