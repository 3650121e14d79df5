// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/openblas/product.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay::detail;

TEST_CASE("a matrix is read by rows or by columns where these are in one piece") {
    const auto rows = openblas_matrix::of(3, 5, 7, 1);
    REQUIRE(rows);
    CHECK_FALSE(rows->by_column);
    CHECK(rows->step == 7);
    CHECK(rows->row(2) == 14);
    const auto columns = openblas_matrix::of(3, 5, 1, 4);
    REQUIRE(columns);
    CHECK(columns->by_column);
    CHECK(columns->step == 4);
    CHECK(columns->row(2) == 2);
    CHECK_FALSE(openblas_matrix::of(3, 5, 10, 2));
    CHECK_FALSE(openblas_matrix::of(3, 5, 4, 1));
    CHECK_FALSE(openblas_matrix::of(std::int64_t{1} << 40, 5, 5, 1));
    CHECK_FALSE(openblas_matrix::of(3, 5, std::int64_t{1} << 40, 1));
}

TEST_CASE("the stride of an axis of one element counts for nothing") {
    CHECK(openblas_matrix::of(1, 5, 0, 1)->step == 5);
    CHECK(openblas_matrix::of(1, 5, 0, 9)->by_column);
    CHECK(openblas_matrix::of(4, 1, 9, 0)->step == 9);
    CHECK(openblas_matrix::of(1, 1, 0, 0)->step == 1);
}

TEST_CASE("products of matrices and of vectors, of any slice of rows, are right in either order") {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> number(-1, 1);
    const std::size_t sizes[][3] = {{4, 3, 5}, {1, 3, 5}, {4, 1, 5}, {1, 1, 5}, {4, 3, 1}, {1, 3, 1}, {4, 1, 1}};
    for (const auto& [rows, columns, inner] : sizes)
        for (const bool a_by_column : {false, true})
            for (const bool b_by_column : {false, true}) {
                CAPTURE(rows);
                CAPTURE(columns);
                CAPTURE(inner);
                std::vector<float> a(100), b(100), c(100, std::numeric_limits<float>::quiet_NaN());
                for (float& x : a) x = number(random);
                for (float& x : b) x = number(random);
                constexpr std::size_t apart = 7;
                const auto order = [](std::size_t r, std::size_t k, bool by_column) {
                    const auto step = static_cast<std::int64_t>(apart);
                    const auto n = [](std::size_t i) { return static_cast<std::int64_t>(i); };
                    return *openblas_matrix::of(n(r), n(k), by_column ? 1 : step, by_column ? step : 1);
                };
                openblas_product p;
                p.rows = static_cast<blasint>(rows);
                p.columns = static_cast<blasint>(columns);
                p.inner = static_cast<blasint>(inner);
                p.a = order(rows, inner, a_by_column);
                p.b = order(inner, columns, b_by_column);
                p.step = 8;
                p.factor = 0.5f;
                const std::size_t half = rows / 2;
                if (half != 0) p.run(a.data(), b.data(), c.data(), 0, half);
                p.run(a.data(), b.data(), c.data(), half, rows);
                const auto at = [](const std::vector<float>& m, std::size_t r, std::size_t k, bool by_column) {
                    return double{by_column ? m[k * apart + r] : m[r * apart + k]};
                };
                for (std::size_t i = 0; i < rows; ++i)
                    for (std::size_t j = 0; j < columns; ++j) {
                        double sum = 0;
                        for (std::size_t k = 0; k < inner; ++k) sum += at(a, i, k, a_by_column) * at(b, k, j, b_by_column);
                        CHECK(std::abs(double{c[i * 8 + j]} - 0.5 * sum) < 1e-5);
                    }
                CHECK(std::isnan(c[columns]));
                CHECK(std::string(p.name()) == (rows == 1 || columns == 1 ? "sgemv" : "sgemm"));
            }
}
