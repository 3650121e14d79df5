// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/tensor_type.hpp>

#include <doctest/doctest.h>

using inlay::element_type;
using inlay::extent;
using inlay::tensor_type;

TEST_CASE("a type prints its element and what is known of its extents") {
    CHECK(to_string(tensor_type(element_type::float32, {1, 3, extent(), extent("w")})) == "float32[1,3,?,w]");
    CHECK(to_string(tensor_type(element_type::boolean)) == "bool[*]");
    CHECK(to_string(tensor_type(element_type::int64, {})) == "int64[]");
    CHECK(to_string(tensor_type(element_type::int64, {0})) == "int64[0]");
}

TEST_CASE("a type is static where its rank and every extent are known") {
    const tensor_type known(element_type::float32, {2, 0, 5});
    CHECK(known.is_static());
    CHECK(known.rank() == 3);
    CHECK(inlay::static_shape(known) == std::vector<std::int64_t>{2, 0, 5});
    CHECK(tensor_type(element_type::float32, {}).is_static());
    CHECK_FALSE(tensor_type(element_type::float32).is_static());
    CHECK_FALSE(tensor_type(element_type::float32, {2, extent("n")}).is_static());
    CHECK_FALSE(tensor_type(element_type::float32, {extent()}).is_static());
}

TEST_CASE("a scalar is not a tensor of unknown rank, and symbols are equal by name") {
    CHECK_FALSE(tensor_type(element_type::float32, {}) == tensor_type(element_type::float32));
    CHECK(extent("n") == extent("n"));
    CHECK_FALSE(extent("n") == extent("m"));
    CHECK_FALSE(extent("n") == extent());
    CHECK(extent(4).is_known());
    CHECK_FALSE(extent("n").is_known());
}

TEST_CASE("elements are counted where the count fits") {
    CHECK(inlay::element_count({}) == 1);
    CHECK(inlay::element_count({2, 3, 4}) == 24);
    CHECK(inlay::element_count({INT64_MAX}) == INT64_MAX);
    CHECK_FALSE(inlay::element_count({INT64_MAX, 2}).has_value());
    CHECK_FALSE(inlay::element_count({std::int64_t{1} << 32, std::int64_t{1} << 31}).has_value());
    CHECK_FALSE(inlay::element_count({2, -1}).has_value());
}

TEST_CASE("one zero makes no elements, and a negative extent is refused beside it too") {
    CHECK(inlay::element_count({3, 0, 5}) == 0);
    CHECK(inlay::element_count({INT64_MAX, 0, 1}) == 0);
    CHECK_FALSE(inlay::element_count({0, -1}).has_value());
    CHECK_FALSE(inlay::element_count({-1, 0}).has_value());
}
