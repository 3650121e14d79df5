// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cutlass/cutlass_product.hpp>

#include <doctest/doctest.h>

using namespace inlay;
using detail::arguments_of;
using detail::cutlass_addend;

TEST_CASE("a launch begins where its batches do, and reads what is added as a row, as a tensor or not at all") {
    const detail::matmul_layout m{{4, 5, 4, false, 20}, {5, 3, 5, false, 0}, {4, 3, 4, false, 12}, true, 2, {{0, 0, 0}, {40, 15, 24}}};
    const auto l = detail::cutlass_layout::of(m, false);
    REQUIRE(l);
    REQUIRE(l->launches.size() == 2);
    const float a[30] = {}, b[80] = {}, c[48] = {};
    float d[48] = {};
    const auto none = arguments_of(*l, 1, a, b, nullptr, d, 2, cutlass_addend::none);
    CHECK(none.a == a + 15);
    CHECK(none.b == b + 40);
    CHECK(none.d == d + 24);
    CHECK(none.step_a == 0);
    CHECK(none.step_b == 20);
    CHECK(none.alpha == 2);
    CHECK(none.beta == 0);
    const auto row = arguments_of(*l, 1, a, b, c, d, 1, cutlass_addend::row);
    CHECK(row.c == c);
    CHECK(row.leading_c == 0);
    CHECK(row.step_c == 0);
    CHECK(row.beta == 1);
    const auto whole = arguments_of(*l, 1, a, b, c, d, 1, cutlass_addend::matrix);
    CHECK(whole.c == c + 24);
    CHECK(whole.leading_c == 4);
    CHECK(whole.step_c == 12);
}
