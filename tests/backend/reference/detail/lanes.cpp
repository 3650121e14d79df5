// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/detail/lanes.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay::detail::on_eigen;

namespace {

std::vector<float> counted(std::int64_t n) {
    std::vector<float> v;
    for (std::int64_t i = 0; i < n; ++i) v.push_back(static_cast<float>(i) - 7.5f);
    return v;
}

}  // namespace

TEST_CASE("part of sixteen elements is read and written, and nothing behind it") {
    const std::vector<float> from = counted(5);
    const lanes v = load_part(from.data(), 5, 9.0f);
    CHECK(v[4] == from[4]);
    CHECK(v[5] == 9.0f);
    CHECK(v[lane_count - 1] == 9.0f);
    std::array<float, 8> to{};
    store_part(to.data(), v, 3);
    CHECK(to[2] == from[2]);
    CHECK(to[3] == 0.0f);
}

TEST_CASE("a function is applied to every element for every length, in place too") {
    for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, lane_count, lane_count + 3, 3 * lane_count}) {
        const std::vector<float> x = counted(n);
        std::vector<float> y(x.size() + 1, 77.0f), sum = x;
        map_lanes(n, y.data(), x.data(), [](const lanes& v) { return lanes(v * 2.0f); });
        map_lanes(n, sum.data(), sum.data(), x.data(), [](const lanes& v, const lanes& w) { return lanes(v + w); });
        for (std::size_t i = 0; i < x.size(); ++i) {
            CHECK(y[i] == 2 * x[i]);
            CHECK(sum[i] == 2 * x[i]);
        }
        CHECK(y.back() == 77.0f);
    }
}

TEST_CASE("the larger and the smaller of two keep what is not a number") {
    const lanes nan = lanes::Constant(std::numeric_limits<float>::quiet_NaN()), one = lanes::Constant(1.0f);
    CHECK(larger(one, 2.0f)[3] == 2.0f);
    CHECK(smaller(one, 2.0f)[3] == 1.0f);
    CHECK(std::isnan(larger(nan, one)[0]));
    CHECK(std::isnan(smaller(nan, 0.0f)[15]));
}

TEST_CASE("the error function and the sigmoid are what the standard library's functions say") {
    for (int i = -60; i <= 60; ++i) {
        const float x = static_cast<float>(i) / 10;
        const double erf = std::erf(static_cast<double>(x)), sigmoid = 1 / (1 + std::exp(-static_cast<double>(x)));
        CHECK(std::abs(static_cast<double>(erf_of(lanes::Constant(x))[1]) - erf) <= 4e-7 * std::abs(erf) + 1e-12);
        CHECK(std::abs(static_cast<double>(sigmoid_of(lanes::Constant(x))[2]) - sigmoid) <= 1e-6 * sigmoid);
    }
}
