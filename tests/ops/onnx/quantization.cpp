// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/quantization.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

using ops = onnx_quantization<>;
using bytes = std::vector<std::int8_t>;
using unsigned_bytes = std::vector<std::uint8_t>;

TEST_CASE("QuantizeLinear counts steps of a scale around a zero point, one for all or along an axis") {
    const tensor x = list_of(floats{0, 1, -1.25f, 100, -1000, 0.25f});
    CHECK(elements_of<std::uint8_t>(result<ops>("onnx.QuantizeLinear", {x, tensor::scalar(0.5f)})) == unsigned_bytes{0, 2, 0, 200, 0, 0});
    CHECK(elements_of<std::int8_t>(result<ops>("onnx.QuantizeLinear", {x, tensor::scalar(0.5f), tensor::scalar(std::int8_t{3})})) ==
          bytes{3, 5, 1, 127, -128, 3});
    const tensor rows = tensor::of<float>({2, 2}, {1, 1, 1, 1});
    CHECK(elements_of<std::int8_t>(result<ops>("onnx.QuantizeLinear", {rows, list_of(floats{1, 0.5f}), list_of(bytes{0, 10})},
                                               {{"axis", std::int64_t{0}}})) == bytes{1, 1, 12, 12});
    CHECK(elements_of<std::int8_t>(result<ops>("onnx.QuantizeLinear", {rows, list_of(floats{1, 0.5f}), list_of(bytes{0, 10})})) ==
          bytes{1, 12, 1, 12});
    CHECK(inferred<ops>("onnx.QuantizeLinear", {f32({symbol("n"), 3}), f32({})}, {{"output_dtype", std::int64_t{3}}}) == "int8[n,3]");
}

TEST_CASE("DequantizeLinear gives back what steps stand for") {
    CHECK(elements_of<float>(result<ops>("onnx.DequantizeLinear", {list_of(bytes{-128, 0, 127}), tensor::scalar(0.5f),
                                                                   tensor::scalar(std::int8_t{-128})})) == floats{0, 64, 127.5f});
    CHECK(elements_of<float>(result<ops>("onnx.DequantizeLinear", {list_of(std::vector<std::int32_t>{-3, 70000}), tensor::scalar(2.0f)})) ==
          floats{-6, 140000});
}

TEST_CASE("DynamicQuantizeLinear finds the range itself, zero in it") {
    const auto all = results<ops>("onnx.DynamicQuantizeLinear", {list_of(floats{0, 2, -3, -2.5f, 1.34f, 0.5f})}, {}, 3);
    REQUIRE(all.size() == 3);
    CHECK(elements_of<std::uint8_t>(all[0]) == unsigned_bytes{153, 255, 0, 26, 221, 179});
    CHECK(all[1].as<float>()[0] == doctest::Approx(0.0196078438));
    CHECK(all[2].as<std::uint8_t>()[0] == 153);
    const auto flat = results<ops>("onnx.DynamicQuantizeLinear", {list_of(floats{0, 0})}, {}, 3);
    CHECK(elements_of<std::uint8_t>(flat[0]) == unsigned_bytes{0, 0});
}

TEST_CASE("scales, zero points and types that do not fit are refused") {
    CHECK(refused<ops>("onnx.QuantizeLinear", {f32({2, 3}), f32({4})}, {},
                       "where one number is expected, or one for each place along axis 1"));
    CHECK(refused<ops>("onnx.QuantizeLinear", {f32({2, 3}), f32({2})}, {{"axis", std::int64_t{2}}}, "axis 2"));
    CHECK(refused<ops>("onnx.QuantizeLinear", {f32({2}), f32({}), f32({})}, {}, "gives int8, uint8, int16 or uint16"));
    CHECK(refused<ops>("onnx.QuantizeLinear", {f32({2}), f32({})}, {{"block_size", std::int64_t{32}}}, "block_size 32"));
    CHECK(refused<ops>("onnx.QuantizeLinear", {f32({2}), f32({}), tensor::scalar(std::int8_t{0})}, {{"output_dtype", std::int64_t{2}}},
                       "which must be one"));
    CHECK(refused<ops>("onnx.DequantizeLinear", {f32({2}), f32({})}, {}, "operand 0 of element type float32"));
    CHECK(refused<ops>("onnx.DequantizeLinear", {tensor::scalar(std::int8_t{0}), f32({}), tensor::scalar(std::uint8_t{0})}, {},
                       "must be one"));
}
