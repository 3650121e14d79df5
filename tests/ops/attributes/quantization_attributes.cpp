// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/attributes/quantization_attributes.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "ops/attribute_defaults.hpp"

using namespace inlay;
using namespace inlay_test;

TEST_CASE("the defaults of quantised operators' attributes are those that the operators mean") {
    const tensor x = numbers({2, 3, 4}), scale = tensor::of<float>({3}, {0.5f, 1, 2});
    check_defaults<quantize_linear_attributes>("onnx.QuantizeLinear", {x, scale});
    const tensor q = tensor::of<std::int8_t>({1, 3, 1}, {1, -2, 3});
    check_defaults<dequantize_linear_attributes>("onnx.DequantizeLinear", {q, scale});
    const tensor image = tensor::of<std::uint8_t>({1, 1, 3, 3}, std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8, 9});
    const tensor weights = tensor::of<std::int8_t>({1, 1, 2, 2}, {1, -1, 2, -2});
    check_defaults<integer_conv_attributes>("onnx.ConvInteger", {image, weights});
}
