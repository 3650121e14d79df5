// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/winograd_convolution.hpp>

#include <array>

#include <doctest/doctest.h>

using namespace inlay::simd;

TEST_CASE("a window that picks the middle is the transform of nothing but its place") {
    // A filter of one 1 in the middle: G g G^T is the outer product of G's second column with itself.
    const std::array<double, 36> u = winograd_filter({0, 0, 0, 0, 1, 0, 0, 0, 0});
    const double column[6] = {0, -1.0 / 6, 1.0 / 6, 1.0 / 12, -1.0 / 12, 0};
    for (std::size_t r = 0; r < 6; ++r)
        for (std::size_t c = 0; c < 6; ++c) CHECK(u[r * 6 + c] == doctest::Approx(column[r] * column[c]));
}
