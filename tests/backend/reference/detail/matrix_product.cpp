// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/detail/matrix_product.hpp>

#include <cstdint>
#include <vector>

#include "../run_region.hpp"

using namespace reference_test;

TEST_CASE("a product is the sum over the inner axis, for turned right sides and for parts of larger matrices too") {
    seeded random(3);
    for (int round = 0; round < 20; ++round) {
        CAPTURE(round);
        const std::int64_t m = random.integer(1, 9), n = random.integer(1, 9), k = random.integer(0, 9);
        const bool turned = random.coin();
        const std::int64_t a_stride = k + 2, b_stride = (turned ? k : n) + 3, c_stride = n + 1;
        const tensor a = random.floats({m + 1, a_stride}), b = random.floats({(turned ? n : k) + 1, b_stride});
        const auto whole_a = on_eigen::matrix_place{a.as<float>().data(), a_stride, false};
        const auto whole_b = on_eigen::matrix_place{b.as<float>().data(), b_stride, turned};
        tensor c(element_type::float32, {m, c_stride});
        for (float& v : c.as<float>()) v = 55;
        // From the second row and column on.
        const auto part_a = whole_a.from(1, 1), part_b = turned ? whole_b.from(1, 1) : whole_b.from(1, 1);
        on_eigen::multiply(c.as<float>().data(), c_stride, part_a, part_b, m, n, k);
        for (std::int64_t i = 0; i < m; ++i) {
            for (std::int64_t j = 0; j < n; ++j) {
                double sum = 0;
                for (std::int64_t p = 0; p < k; ++p) {
                    const float x = a.as<float>()[static_cast<std::size_t>((i + 1) * a_stride + p + 1)];
                    const float y =
                        b.as<float>()[static_cast<std::size_t>(turned ? (j + 1) * b_stride + p + 1 : (p + 1) * b_stride + j + 1)];
                    sum += static_cast<double>(x) * static_cast<double>(y);
                }
                CHECK(static_cast<double>(c.as<float>()[static_cast<std::size_t>(i * c_stride + j)]) == doctest::Approx(sum).epsilon(1e-5));
            }
            CHECK(c.as<float>()[static_cast<std::size_t>(i * c_stride + n)] == 55);
        }
    }
}
