// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/clip_and_where.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

using ops = onnx_clip_and_where<>;

TEST_CASE("Clip keeps to the bounds that are there") {
    const tensor x = list_of(floats{-2, 0.5f, 7}), low = tensor::scalar(-1.0f), high = tensor::scalar(6.0f);
    CHECK(elements_of<float>(result<ops>("onnx.Clip", {x, low, high})) == floats{-1, 0.5f, 6});
    CHECK(elements_of<float>(result<ops>("onnx.Clip", {x, tensor(), high})) == floats{-2, 0.5f, 6});
    CHECK(elements_of<float>(result<ops>("onnx.Clip", {x, low})) == floats{-1, 0.5f, 7});
    CHECK(elements_of<float>(result<ops>("onnx.Clip", {x})) == floats{-2, 0.5f, 7});
    CHECK(elements_of<float>(result<ops>("onnx.Clip", {x, high, low})) == floats{-1, -1, -1});
    CHECK(elements_of<std::int32_t>(result<ops>("onnx.Clip", {list_of(std::vector<std::int32_t>{-5, 5}),
                                                              tensor::scalar(std::int32_t{0})})) == std::vector<std::int32_t>{0, 5});
    CHECK(result<ops>("onnx.Clip", {x, list_of(floats{1})}).extents() == ints{3});
    CHECK(refused<ops>("onnx.Clip", {f32({3}), f32({2})}, {}, "one element"));
    CHECK(refused<ops>("onnx.Clip", {f32({3}), i64({})}, {}, "int64"));
}

TEST_CASE("Where chooses and stretches") {
    tensor condition(element_type::boolean, {2, 1});
    condition.as<bool>()[1] = true;
    const tensor x = list_of(floats{1, 2}), y = tensor::scalar(9.0f);
    CHECK(elements_of<float>(result<ops>("onnx.Where", {condition, x, y})) == floats{9, 9, 1, 2});
    CHECK(inferred<ops>("onnx.Where", {tensor_type(element_type::boolean, {symbol("n"), 1}), i64({3}), i64({})}) == "int64[n,3]");
    CHECK(refused<ops>("onnx.Where", {f32({1}), f32({1}), f32({1})}, {}, "float32"));
    CHECK(refused<ops>("onnx.Where", {tensor_type(element_type::boolean, {1}), i64({1}), f32({1})}, {}, "must be one"));
}
