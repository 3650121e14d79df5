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

TEST_CASE("a scale and a zero point hold for each block of places along an axis, both ways [ops.quantization.blocks]") {
    // Columns 0 and 1 are a block, column 2 is the rest of one.
    const tensor scale = tensor::of<float>({2, 2}, {1, 2, 4, 8}), zero = tensor::of<std::int8_t>({2, 2}, {0, 1, 2, 3});
    const tensor steps = tensor::of<std::int8_t>({2, 3}, {1, 2, 3, 4, 5, 6});
    const attribute_map along_columns{{"block_size", std::int64_t{2}}};
    const tensor x = result<ops>("onnx.DequantizeLinear", {steps, scale, zero}, along_columns);
    CHECK(elements_of<float>(x) == floats{1, 2, 4, 8, 12, 24});
    CHECK(elements_of<std::int8_t>(result<ops>("onnx.QuantizeLinear", {x, scale, zero}, along_columns)) == bytes{1, 2, 3, 4, 5, 6});
    // Rows 0 and 1 are a block of axis 0, with a scale for each column.
    const tensor rows = tensor::of<float>({1, 3}, {1, 10, 100});
    CHECK(elements_of<float>(result<ops>("onnx.DequantizeLinear", {steps, rows},
                                         {{"axis", std::int64_t{0}}, {"block_size", std::int64_t{2}}})) == floats{1, 20, 300, 4, 50, 600});
    const tensor deep = tensor::of<std::int8_t>({2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1});
    CHECK(elements_of<float>(result<ops>("onnx.DequantizeLinear", {deep, tensor::of<float>({2, 1, 2}, {1, 2, 3, 4})},
                                         {{"axis", std::int64_t{-2}}, {"block_size", std::int64_t{2}}})) == floats{1, 2, 1, 2, 3, 4, 3, 4});
}

TEST_CASE("steps may be 8-bit floats [ops.float8.quantized]") {
    const tensor x = list_of(floats{1, -3, 1e6f});
    const attribute_map to_float8{{"output_dtype", std::int64_t{17}}};
    const tensor steps = result<ops>("onnx.QuantizeLinear", {x, tensor::scalar(0.5f)}, to_float8);
    REQUIRE(steps.element() == element_type::float8_e4m3fn);
    CHECK(elements_of<float>(result<ops>("onnx.DequantizeLinear", {steps, tensor::scalar(0.5f)})) == floats{1, -3, 224});
}

TEST_CASE("DequantizeLinear gives the type of its scales, or the one that it names [ops.quantization.result]") {
    const tensor steps = list_of(bytes{-3, 2});
    tensor half(element_type::float16, {});
    half.as<std::uint16_t>()[0] = 0x3800;  // 0.5
    const tensor y = result<ops>("onnx.DequantizeLinear", {steps, half});
    REQUIRE(y.element() == element_type::float16);
    CHECK(y.as<std::uint16_t>()[0] == 0xBE00);
    const tensor named = result<ops>("onnx.DequantizeLinear", {steps, tensor::scalar(0.5f)}, {{"output_dtype", std::int64_t{16}}});
    REQUIRE(named.element() == element_type::bfloat16);
    CHECK(named.as<std::uint16_t>()[1] == 0x3F80);
    CHECK(result<ops>("onnx.DequantizeLinear", {steps, half}, {{"output_dtype", std::int64_t{1}}}).element() == element_type::float32);
    CHECK(refused<ops>("onnx.DequantizeLinear", {steps, f32({})}, {{"output_dtype", std::int64_t{3}}}, "output_dtype 3"));
    CHECK(elements_of<std::uint8_t>(result<ops>("onnx.QuantizeLinear", {y, half})) == unsigned_bytes{0, 2});
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
    CHECK(refused<ops>("onnx.QuantizeLinear", {f32({2}), f32({}), f32({})}, {}, "gives int8, uint8, int16, uint16 or an 8-bit float"));
    CHECK(refused<ops>("onnx.QuantizeLinear", {f32({2}), f32({})}, {{"block_size", std::int64_t{-1}}}, "block_size -1"));
    CHECK(refused<ops>("onnx.DequantizeLinear", {tensor::of<std::int8_t>({2, 3}, bytes(6)), f32({2, 3})}, {{"block_size", std::int64_t{2}}},
                       "one is expected for each block of 2 places along axis 1"));
    CHECK(refused<ops>("onnx.QuantizeLinear", {f32({2}), f32({}), tensor::scalar(std::int8_t{0})}, {{"output_dtype", std::int64_t{2}}},
                       "which must be one"));
    CHECK(refused<ops>("onnx.DequantizeLinear", {f32({2}), f32({})}, {}, "operand 0 of element type float32"));
    CHECK(refused<ops>("onnx.DequantizeLinear", {tensor::scalar(std::int8_t{0}), f32({}), tensor::scalar(std::uint8_t{0})}, {},
                       "must be one"));
}
