// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/random_values.hpp>

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("weights have the variance that keeps sums their size, and repeat for a seed") {
    const tensor w = random_weights(element_type::float32, {64, 32, 3, 3}, 1);
    double sum = 0, squares = 0;
    for (const float x : w.as<float>()) {
        sum += x;
        squares += static_cast<double>(x) * x;
    }
    const auto n = static_cast<double>(w.count());
    CHECK(std::fabs(sum / n) < 0.005);
    CHECK(squares / n == doctest::Approx(2.0 / (32 * 9)).epsilon(0.05));
    CHECK(random_weights(element_type::float32, {64, 32, 3, 3}, 1).content() == w.content());
    CHECK(random_weights(element_type::float32, {64, 32, 3, 3}, 2).content() != w.content());
}

TEST_CASE("vectors are positive") {
    for (const element_type e : {element_type::float32, element_type::float64}) {
        const tensor v = random_weights(e, {1000}, 3);
        bool positive = true;
        for (std::size_t i = 0; i < v.count(); ++i) {
            const double x = e == element_type::float32 ? static_cast<double>(v.as<float>()[i]) : v.as<double>()[i];
            positive = positive && x >= 0.5 && x <= 1.5;
        }
        CHECK(positive);
    }
}

TEST_CASE("halves are ordinary numbers: neither denormal nor infinite nor no number") {
    for (const bool positive : {false, true}) {
        std::vector<std::uint16_t> half(1000), brain(1000);
        fill_random(half.data(), element_type::float16, 1000, 1, positive, 5);
        fill_random(brain.data(), element_type::bfloat16, 1000, 1, positive, 5);
        bool good = true, negative = false;
        for (std::size_t i = 0; i < 1000; ++i) {
            const unsigned half_exponent = half[i] >> 10 & 31u, brain_exponent = brain[i] >> 7 & 255u;
            good = good && half_exponent >= 12 && half_exponent <= 15 && brain_exponent >= 124 && brain_exponent <= 127;
            negative = negative || half[i] >> 15 == 1 || brain[i] >> 15 == 1;
        }
        CHECK(good);
        CHECK(negative == !positive);
    }
}

TEST_CASE("many values are the first ones again, to the last") {
    std::vector<float> many(3 * random_period + 5, -1);
    fill_random(many.data(), element_type::float32, many.size() - 1, 1, true, 1);
    bool repeats = true;
    for (std::size_t i = random_period; i + 1 < many.size(); ++i) repeats = repeats && many[i] == many[i % random_period];
    CHECK(repeats);
    CHECK(many.back() == -1);
    CHECK(many[0] != many[1]);
}

TEST_CASE("wide integers are zero, truth values are zero or one") {
    std::vector<std::int64_t> index(10, 7);
    fill_random(index.data(), element_type::int64, 10, 1, false, 1);
    CHECK(index == std::vector<std::int64_t>(10, 0));
    std::vector<std::uint8_t> truth(1000, 7);
    fill_random(truth.data(), element_type::boolean, 1000, 1, false, 1);
    std::size_t ones = 0;
    for (const auto t : truth) {
        CHECK(t <= 1);
        ones += t;
    }
    CHECK(ones > 400);
    CHECK(ones < 600);
}

TEST_CASE("a tensor of no elements or without memory is no trouble") {
    CHECK(random_weights(element_type::float32, {0, 4}, 1).ok());
    CHECK_FALSE(random_weights(element_type::float32, {std::int64_t{1} << 61}, 1).ok());
    CHECK_FALSE(random_weights(element_type::string, {4}, 1).ok());
}
