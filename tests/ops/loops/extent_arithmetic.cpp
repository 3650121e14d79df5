// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/extent_arithmetic.hpp>

#include <doctest/doctest.h>

namespace {
const inlay::extent n{std::string("n")}, m{std::string("m")}, open;
using list = std::vector<inlay::extent>;
}  // namespace

TEST_CASE("Sums of extents know what can be known") {
    CHECK(inlay::extent_sum(2, 3) == inlay::extent(5));
    CHECK(inlay::extent_sum(n, 0) == n);
    CHECK(inlay::extent_sum(0, n) == n);
    CHECK(inlay::extent_sum(n, n) == open);
    CHECK(!inlay::extent_sum(INT64_MAX, 1));
}

TEST_CASE("Quotients of extents cancel symbols") {
    CHECK(inlay::extent_quotient(list{n, 3, 4}, list{n}) == inlay::extent(12));
    CHECK(inlay::extent_quotient(list{n, 3, 4}, list{12}) == n);
    CHECK(inlay::extent_quotient(list{n, n, m}, list{m, n}) == n);
    CHECK(inlay::extent_quotient(list{n, 4}, list{2}) == open);
    CHECK(inlay::extent_quotient(list{n}, list{m}) == open);
    CHECK(inlay::extent_quotient(list{open, 4}, list{4}) == open);
    CHECK(inlay::extent_quotient(list{0, n}, list{5}) == inlay::extent(0));
    CHECK(!inlay::extent_quotient(list{7}, list{2}));
    CHECK(!inlay::extent_quotient(list{7}, list{0}));
    CHECK(!inlay::extent_quotient(list{INT64_MAX, 2}, list{2}));
}

TEST_CASE("Products of extents are zero where one factor is") {
    CHECK(inlay::extent_product(list{n, 0}) == inlay::extent(0));
    CHECK(inlay::extent_product(list{n, 1}) == n);
    CHECK(inlay::extent_product(list{n, 2}) == open);
    CHECK(inlay::extent_product(list{}) == inlay::extent(1));
    CHECK(!inlay::extent_product(list{INT64_MAX, 2}));
}

TEST_CASE("Of two extents that are one, the better known is kept") {
    CHECK(inlay::better_known(open, n) == n);
    CHECK(inlay::better_known(n, 4) == inlay::extent(4));
    CHECK(inlay::better_known(n, open) == n);
    CHECK(inlay::better_known(3, open) == inlay::extent(3));
    CHECK(inlay::can_be_equal(n, 4));
    CHECK(!inlay::can_be_equal(3, 4));
}

TEST_CASE("A type with more elements than can be counted is refused") {
    const inlay::attribute_map none;
    const inlay::call_view call{"onnx.Tile", &none, {}, {}, 1};
    CHECK(inlay::countable_type(call, {inlay::element_type::float32, list{n, 3}}));
    CHECK(!inlay::countable_type(call, {inlay::element_type::float32, list{n, INT64_MAX, 3}}));
    CHECK(!inlay::countable_type(call, {inlay::element_type::float32, list{INT64_MAX}}));
}
