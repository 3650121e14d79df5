// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/matrix_product_loops.hpp>

#include <doctest/doctest.h>

#include <vector>

TEST_CASE("Each element of a product is finished once, of plain and of transposed matrices") {
    const std::vector<double> a{1, 2, 3, 4, 5, 6};
    const inlay::matrix_view<double> m{a.data(), 2, 3, 3, 1};
    std::vector<double> y(4, 0.0);
    REQUIRE(inlay::multiply(m, m.transposed(),
                            [&](std::int64_t i, std::int64_t j, double sum) { y[static_cast<std::size_t>(i * 2 + j)] += sum; }));
    CHECK(y == std::vector<double>{14, 32, 32, 77});
    std::vector<double> z(9, 0.0);
    REQUIRE(inlay::multiply(m.transposed(), m,
                            [&](std::int64_t i, std::int64_t j, double sum) { z[static_cast<std::size_t>(i * 3 + j)] += sum; }));
    CHECK(z == std::vector<double>{17, 22, 27, 22, 29, 36, 27, 36, 45});
}

TEST_CASE("A product over no elements is zero, and one of no rows calls nothing") {
    int calls = 0;
    double last = 1;
    const auto count = [&](std::int64_t, std::int64_t, double sum) {
        ++calls;
        last = sum;
    };
    const inlay::matrix_view<double> tall{nullptr, 2, 0, 0, 1}, wide{nullptr, 0, 3, 3, 1};
    REQUIRE(inlay::multiply(tall, wide, count));
    CHECK(calls == 6);
    CHECK(last == 0);
    REQUIRE(inlay::multiply(wide, tall.transposed().transposed(), count));
    CHECK(calls == 6);
}
