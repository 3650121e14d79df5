// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/weighted_rows.hpp>

#include <doctest/doctest.h>

#include <vector>

static_assert(std::is_same_v<inlay::sum_scalar<float>, double>);
static_assert(std::is_same_v<inlay::sum_scalar<std::int32_t>, std::uint64_t>);

TEST_CASE("Weighted rows are added to the sums, for every remainder of rows and columns") {
    for (std::size_t count = 0; count < 10; ++count)
        for (std::size_t width = 0; width < 20; ++width) {
            const std::size_t step = width + 3;
            std::vector<double> rows(count * step), weights(count), sum(width, 1.0), expected(width, 1.0);
            for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<double>(k % 7);
            for (std::size_t k = 0; k < count; ++k) weights[k] = static_cast<double>(k) - 2;
            for (std::size_t j = 0; j < width; ++j)
                for (std::size_t k = 0; k < count; ++k) expected[j] += weights[k] * rows[k * step + j];
            inlay::add_weighted_rows(sum.data(), weights.data(), count, rows.data(), step, width);
            CHECK(sum == expected);
        }
}

TEST_CASE("Columns in cache stay within their bounds") {
    CHECK(inlay::columns_in_cache(0) == 512);
    CHECK(inlay::columns_in_cache(1) == 512);
    CHECK(inlay::columns_in_cache(512) == 128);
    CHECK(inlay::columns_in_cache(1u << 30) == 32);
}
