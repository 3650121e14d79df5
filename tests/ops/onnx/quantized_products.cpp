// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/quantized_products.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

using ops = onnx_quantized_products<>;

namespace {

template <class T>
tensor some_bytes(const std::vector<std::int64_t>& extents, unsigned seed) {
    std::mt19937 random(seed);
    std::int64_t count = 1;
    for (const std::int64_t e : extents) count *= e;
    std::vector<T> values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<T>(random() % 256));
    return tensor::of<T>(extents, values);
}

}  // namespace

TEST_CASE("ConvInteger sums products of bytes without their zero points, the border counting as the zero point") {
    const tensor x = some_bytes<std::uint8_t>({2, 2, 4, 5}, 1), w = some_bytes<std::int8_t>({3, 2, 2, 3}, 2);
    const tensor y = result<ops>("onnx.ConvInteger", {x, w, tensor::scalar(std::uint8_t{7}), tensor::scalar(std::int8_t{-3})},
                                 {{"pads", ints{1, 0, 0, 1}}, {"strides", ints{1, 2}}});
    REQUIRE(y.extents() == ints{2, 3, 4, 2});
    for (std::int64_t n = 0; n < 2; ++n)
        for (std::int64_t m = 0; m < 3; ++m)
            for (std::int64_t h = 0; h < 4; ++h)
                for (std::int64_t v = 0; v < 2; ++v) {
                    std::int32_t sum = 0;
                    for (std::int64_t c = 0; c < 2; ++c)
                        for (std::int64_t i = 0; i < 2; ++i)
                            for (std::int64_t j = 0; j < 3; ++j) {
                                const std::int64_t row = h + i - 1, column = 2 * v + j;
                                if (row < 0 || row >= 4 || column >= 5) continue;
                                const auto at = static_cast<std::size_t>(((n * 2 + c) * 4 + row) * 5 + column);
                                const auto weight = static_cast<std::size_t>(((m * 2 + c) * 2 + i) * 3 + j);
                                sum += (x.as<std::uint8_t>()[at] - 7) * (w.as<std::int8_t>()[weight] + 3);
                            }
                    CHECK(y.as<std::int32_t>()[static_cast<std::size_t>(((n * 3 + m) * 4 + h) * 2 + v)] == sum);
                }
}

TEST_CASE("QLinearMatMul and QLinearConv bring sums to the steps of the result, by a scale for each channel") {
    const tensor a = some_bytes<std::int8_t>({3, 4}, 3), b = some_bytes<std::int8_t>({4, 2}, 4);
    const tensor w_scale = list_of(floats{0.25f, 0.01f}), zero = tensor::scalar(std::int8_t{0});
    const tensor y = result<ops>("onnx.QLinearMatMul", {a, tensor::scalar(0.5f), tensor::scalar(std::int8_t{5}), b, w_scale, zero,
                                                        tensor::scalar(2.0f), tensor::scalar(std::int8_t{-1})});
    REQUIRE(y.ok());
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 2; ++j) {
            std::int32_t sum = 0;
            for (std::size_t k = 0; k < 4; ++k) sum += (a.as<std::int8_t>()[i * 4 + k] - 5) * b.as<std::int8_t>()[k * 2 + j];
            const float steps = std::nearbyint(static_cast<float>(sum) * (0.5f * w_scale.as<float>()[j] / 2.0f)) - 1;
            CHECK(y.as<std::int8_t>()[i * 2 + j] == static_cast<std::int8_t>(std::min(127.0f, std::max(-128.0f, steps))));
        }
    const tensor image = some_bytes<std::uint8_t>({1, 1, 2, 2}, 5), weight = some_bytes<std::int8_t>({2, 1, 1, 1}, 6);
    const tensor bias = list_of(std::vector<std::int32_t>{100, -100});
    const tensor z = result<ops>("onnx.QLinearConv", {image, tensor::scalar(1.0f), tensor::scalar(std::uint8_t{128}), weight, w_scale, zero,
                                                      tensor::scalar(4.0f), tensor::scalar(std::uint8_t{10}), bias});
    REQUIRE(z.ok());
    for (std::size_t m = 0; m < 2; ++m)
        for (std::size_t i = 0; i < 4; ++i) {
            const std::int32_t sum = (image.as<std::uint8_t>()[i] - 128) * weight.as<std::int8_t>()[m] + bias.as<std::int32_t>()[m];
            const float steps = std::nearbyint(static_cast<float>(sum) * (w_scale.as<float>()[m] / 4.0f)) + 10;
            CHECK(z.as<std::uint8_t>()[m * 4 + i] == static_cast<std::uint8_t>(std::min(255.0f, std::max(0.0f, steps))));
        }
}

TEST_CASE("types and shapes of quantised products follow from those of real ones") {
    const tensor_type image(element_type::uint8, {symbol("n"), 3, 8, 8}), weight(element_type::int8, {4, 3, 3, 3});
    CHECK(inferred<ops>("onnx.ConvInteger", {image, weight}) == "int32[n,4,6,6]");
    const tensor_type byte(element_type::uint8, {});
    CHECK(inferred<ops>("onnx.QLinearConv",
                        {image, f32({}), byte, weight, f32({4}), tensor_type(element_type::int8, {4}), f32({}), byte}) == "uint8[n,4,6,6]");
    CHECK(inferred<ops>("onnx.MatMulInteger", {tensor_type(element_type::int8, {2, 3}), tensor_type(element_type::uint8, {3, 5})}) ==
          "int32[2,5]");
    CHECK(refused<ops>("onnx.ConvInteger", {f32({1, 3, 8, 8}), weight}, {}, "operand 0 of element type float32"));
    CHECK(refused<ops>("onnx.QLinearConv", {image, f32({}), byte, weight, f32({3}), tensor_type(element_type::int8, {4}), f32({}), byte},
                       {}, "or one for each of its output channels"));
    CHECK(refused<ops>("onnx.QLinearConv", {image, f32({2}), byte, weight, f32({4}), tensor_type(element_type::int8, {4}), f32({}), byte},
                       {}, "where one number is expected"));
    CHECK(refused<ops>("onnx.MatMulInteger", {tensor_type(element_type::int8, {2, 3}), tensor_type(element_type::int8, {4, 5})}, {},
                       "inner extents differ"));
}
