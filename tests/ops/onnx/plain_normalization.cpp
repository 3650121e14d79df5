// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/plain_normalization.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

using ops = onnx_plain_normalizations<>;

TEST_CASE("LRN divides by a power of the squares of neighbouring channels") {
    const tensor x = noise({2, 5, 2}, 3);
    for (const std::int64_t size : {1, 2, 3, 20}) {
        const tensor y = result<ops>("onnx.LRN", {x}, {{"size", size}, {"alpha", 0.5}, {"beta", 0.75}, {"bias", 2.0}});
        REQUIRE(y.ok());
        for (std::int64_t i = 0; i < 20; ++i) {
            const std::int64_t n = i / 10, c = i / 2 % 5, k = i % 2;
            double squares = 0;
            // From c - floor((size - 1) / 2) to c + ceil((size - 1) / 2).
            for (std::int64_t d = c - (size - 1) / 2; d <= c + size / 2; ++d)
                if (d >= 0 && d < 5)
                    squares += std::pow(static_cast<double>(x.as<float>()[static_cast<std::size_t>(n * 10 + d * 2 + k)]), 2);
            const auto at = static_cast<std::size_t>(i);
            CHECK(static_cast<double>(y.as<float>()[at]) ==
                  doctest::Approx(static_cast<double>(x.as<float>()[at]) / std::pow(2 + 0.5 / static_cast<double>(size) * squares, 0.75))
                      .epsilon(1e-6));
        }
    }
    CHECK(refused<ops>("onnx.LRN", {f32({1, 2})}, {}, "size"));
    CHECK(refused<ops>("onnx.LRN", {f32({2})}, {{"size", std::int64_t{3}}}, "without channels"));
}

TEST_CASE("LRN reads no channels that there are not, whatever its size") {
    const tensor x = noise({1, 3, 2}, 3);
    const auto of_size = [&](std::int64_t size, double alpha) {
        return elements_of<float>(result<ops>("onnx.LRN", {x}, {{"size", size}, {"alpha", alpha}, {"beta", 1.0}, {"bias", 2.0}}));
    };
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t size : {std::int64_t{1'000'001}, most - 1, most}) {
        const auto huge = of_size(size, static_cast<double>(size)), all = of_size(7, 7);
        for (std::size_t i = 0; i < huge.size(); ++i) CHECK(huge[i] == doctest::Approx(all[i]).epsilon(1e-6));
    }
}

TEST_CASE("LpNormalization divides lines by their norm, and leaves zeros") {
    const tensor x = tensor::of<float>({2, 2}, floats{3, 0, -4, 0});
    CHECK(elements_of<float>(result<ops>("onnx.LpNormalization", {x}, {{"axis", std::int64_t{0}}})) == floats{0.6f, 0, -0.8f, 0});
    CHECK(elements_of<float>(result<ops>("onnx.LpNormalization", {list_of(floats{1, -3})}, {{"p", std::int64_t{1}}})) ==
          floats{0.25f, -0.75f});
    CHECK(refused<ops>("onnx.LpNormalization", {f32({2})}, {{"p", std::int64_t{3}}}, "1 or 2"));
}

TEST_CASE("MeanVarianceNormalization leaves mean 0 and variance 1 over its axes") {
    const tensor x = noise({2, 3, 4, 5}, 7), y = result<ops>("onnx.MeanVarianceNormalization", {x});
    REQUIRE(y.ok());
    for (std::size_t c = 0; c < 3; ++c) {
        double sum = 0, squares = 0;
        for (std::size_t i = 0; i < y.count(); ++i) {
            if (i / 20 % 3 != c) continue;
            sum += static_cast<double>(y.as<float>()[i]);
            squares += std::pow(static_cast<double>(y.as<float>()[i]), 2);
        }
        CHECK(sum == doctest::Approx(0).epsilon(1e-5));
        CHECK(squares / 40 == doctest::Approx(1).epsilon(1e-5));
    }
    CHECK(elements_of<float>(result<ops>("onnx.MeanVarianceNormalization", {list_of(floats{1, 3})}, {{"axes", ints{0}}})) == floats{-1, 1});
    CHECK(refused<ops>("onnx.MeanVarianceNormalization", {f32({2, 2})}, {}, "axis 2"));
}
