// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/normalization.hpp>

#include <cmath>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

using ops = onnx_normalizations<>;

static double at(const tensor& t, std::size_t i) { return static_cast<double>(t.as<float>()[i]); }

/// The mean and 1 / sqrt(variance + epsilon) of listed elements.
static std::pair<double, double> statistics(const tensor& x, const std::vector<std::size_t>& places, double epsilon) {
    double mean = 0, variance = 0;
    for (const std::size_t p : places) mean += at(x, p) / static_cast<double>(places.size());
    for (const std::size_t p : places) variance += (at(x, p) - mean) * (at(x, p) - mean) / static_cast<double>(places.size());
    return {mean, 1 / std::sqrt(variance + epsilon)};
}

TEST_CASE("BatchNormalization uses the statistics that it is given") {
    const tensor x = tensor::of<float>({1, 2, 2}, floats{1, 2, 3, 4});
    const tensor scale = list_of(floats{2, 1}), bias = list_of(floats{0, 10}), mean = list_of(floats{1, 3}),
                 variance = list_of(floats{4, 1});
    const tensor y = result<ops>("onnx.BatchNormalization", {x, scale, bias, mean, variance}, {{"epsilon", 0.0}});
    CHECK(elements_of<float>(y) == floats{0, 1, 10, 11});
    CHECK(inferred<ops>("onnx.BatchNormalization", {f32({symbol("n"), 2, 4}), scale, bias, mean, variance}) == "float32[n,2,4]");
    CHECK(refused<ops>("onnx.BatchNormalization", {f32({1, 3}), scale, bias, mean, variance}, {}, "one number per channel"));
    CHECK(refused<ops>("onnx.BatchNormalization", {x, scale, bias, mean, variance}, {}, "training mode", 3));
}

TEST_CASE("BatchNormalization in training mode computes the statistics and lets the old ones run") {
    const tensor x = tensor::of<float>({2, 1, 2}, floats{1, 3, 5, 7});
    const tensor one = list_of(floats{1}), zero = list_of(floats{0}), mean = list_of(floats{8}), variance = list_of(floats{1});
    const auto y = results<ops>("onnx.BatchNormalization", {x, one, zero, mean, variance},
                                {{"epsilon", 0.0}, {"training_mode", std::int64_t{1}}, {"momentum", 0.75}}, 3);
    REQUIRE(y.size() == 3);
    CHECK(at(y[0], 0) == doctest::Approx(-3 / std::sqrt(5.0)));
    CHECK(at(y[0], 3) == doctest::Approx(3 / std::sqrt(5.0)));
    CHECK(at(y[1], 0) == doctest::Approx(8 * 0.75 + 4 * 0.25));
    CHECK(at(y[2], 0) == doctest::Approx(1 * 0.75 + 5 * 0.25));
}

TEST_CASE("Groups, instances and layers are normalised by their own statistics") {
    const tensor x = noise({2, 4, 3}, 11), scale = list_of(floats{1, 2, 3, 4}), bias = list_of(floats{-1, 0, 1, 2});
    const double epsilon = 1e-5;
    const tensor instance = result<ops>("onnx.InstanceNormalization", {x, scale, bias});
    const tensor group = result<ops>("onnx.GroupNormalization", {x, scale, bias}, {{"num_groups", std::int64_t{2}}});
    const tensor per_group =
        result<ops>("onnx.GroupNormalization", {x, list_of(floats{5, 7}), list_of(floats{1, 2})}, {{"num_groups", std::int64_t{2}}});
    const tensor row_scale = list_of(floats{1, 2, 3}), row_bias = list_of(floats{3, 2, 1});
    const auto layer = results<ops>("onnx.LayerNormalization", {x, row_scale, row_bias}, {}, 3);
    const tensor both_axes = result<ops>("onnx.LayerNormalization", {x, row_scale}, {{"axis", std::int64_t{1}}});
    const tensor rms = result<ops>("onnx.RMSNormalization", {x, row_scale});
    REQUIRE(instance.ok());
    REQUIRE(group.ok());
    REQUIRE(per_group.ok());
    REQUIRE(layer.size() == 3);
    REQUIRE(both_axes.ok());
    REQUIRE(rms.ok());
    CHECK(layer[1].extents() == ints{2, 4, 1});
    for (std::size_t i = 0; i < 24; ++i) {
        const std::size_t n = i / 12, c = i / 3 % 4, k = i % 3;
        std::vector<std::size_t> row, pair, image;
        for (std::size_t j = 0; j < 12; ++j) {
            image.push_back(n * 12 + j);
            if (j / 3 == c) row.push_back(n * 12 + j);
            if (j / 6 == c / 2) pair.push_back(n * 12 + j);
        }
        const auto of_row = statistics(x, row, epsilon), of_pair = statistics(x, pair, epsilon), of_image = statistics(x, image, epsilon);
        const double channel_scale[] = {1, 2, 3, 4}, channel_bias[] = {-1, 0, 1, 2}, place_scale[] = {1, 2, 3}, place_bias[] = {3, 2, 1};
        CHECK(at(instance, i) ==
              doctest::Approx((at(x, i) - of_row.first) * of_row.second * channel_scale[c] + channel_bias[c]).epsilon(1e-5));
        CHECK(at(group, i) ==
              doctest::Approx((at(x, i) - of_pair.first) * of_pair.second * channel_scale[c] + channel_bias[c]).epsilon(1e-5));
        CHECK(at(per_group, i) ==
              doctest::Approx((at(x, i) - of_pair.first) * of_pair.second * (c < 2 ? 5 : 7) + (c < 2 ? 1 : 2)).epsilon(1e-5));
        CHECK(at(layer[0], i) == doctest::Approx((at(x, i) - of_row.first) * of_row.second * place_scale[k] + place_bias[k]).epsilon(1e-5));
        CHECK(at(layer[1], i / 3) == doctest::Approx(of_row.first).epsilon(1e-5));
        CHECK(at(layer[2], i / 3) == doctest::Approx(of_row.second).epsilon(1e-5));
        CHECK(at(both_axes, i) == doctest::Approx((at(x, i) - of_image.first) * of_image.second * place_scale[k]).epsilon(1e-5));
        double squares = 0;
        for (const std::size_t p : row) squares += at(x, p) * at(x, p) / 3;
        CHECK(at(rms, i) == doctest::Approx(at(x, i) / std::sqrt(squares + epsilon) * place_scale[k]).epsilon(1e-5));
    }
}

TEST_CASE("Normalisations refuse what does not fit") {
    CHECK(refused<ops>("onnx.GroupNormalization", {f32({1, 3, 2}), f32({2}), f32({2})}, {{"num_groups", std::int64_t{2}}},
                       "cannot divide 3"));
    CHECK(refused<ops>("onnx.GroupNormalization", {f32({1, 4, 2}), f32({3}), f32({2})}, {{"num_groups", std::int64_t{2}}}, "operand 1"));
    CHECK(refused<ops>("onnx.GroupNormalization", {f32({1, 4, 2}), f32({2}), f32({2})}, {}, "num_groups"));
    CHECK(refused<ops>("onnx.LayerNormalization", {f32({2, 3}), f32({2})}, {}, "cannot stretch operand 1"));
    CHECK(refused<ops>("onnx.LayerNormalization", {f32({2, 3}), f32({3})}, {{"axis", std::int64_t{2}}}, "axis 2"));
    CHECK(inferred<ops>("onnx.LayerNormalization", {f32({symbol("n"), 3}), f32({3})}, {}, 2) == "(float32[n,3], float32[n,1])");
    CHECK(refused<ops>("onnx.InstanceNormalization", {f32({4}), f32({4}), f32({4})}, {}, "without channels"));
}
