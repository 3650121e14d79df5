// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/arg_reduction.hpp>

#include <limits>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

using ops = onnx_arg_reductions<>;

TEST_CASE("ArgMax and ArgMin say where") {
    const tensor x = tensor::of<float>({2, 3}, floats{1, 5, 5, 7, 2, 2});
    const attribute_map rows{{"axis", std::int64_t{1}}, {"keepdims", std::int64_t{0}}};
    CHECK(elements_of<std::int64_t>(result<ops>("onnx.ArgMax", {x}, rows)) == ints{1, 0});
    CHECK(elements_of<std::int64_t>(result<ops>("onnx.ArgMin", {x}, rows)) == ints{0, 1});
    attribute_map last = rows;
    last.set("select_last_index", std::int64_t{1});
    CHECK(elements_of<std::int64_t>(result<ops>("onnx.ArgMax", {x}, last)) == ints{2, 0});
    CHECK(elements_of<std::int64_t>(result<ops>("onnx.ArgMin", {x}, last)) == ints{0, 2});
    CHECK(elements_of<std::int64_t>(result<ops>("onnx.ArgMax", {x})) == ints{1, 0, 0});
    CHECK(result<ops>("onnx.ArgMax", {x}).extents() == ints{1, 3});
    CHECK(elements_of<std::int64_t>(result<ops>("onnx.ArgMax", {list_of(floats{3, std::numeric_limits<float>::quiet_NaN(), 4})})) ==
          ints{1});
    CHECK(inferred<ops>("onnx.ArgMax", {f32({symbol("n"), 3})}, rows) == "int64[n]");
    CHECK(refused<ops>("onnx.ArgMax", {f32({2})}, {{"axis", std::int64_t{3}}}, "axis 3"));
    CHECK(refused<ops>("onnx.ArgMax", {f32({0})}, {}, "no element"));
}

TEST_CASE("CumSum runs along its axis, either way, with or without the element itself") {
    const tensor x = tensor::of<float>({2, 3}, floats{1, 2, 3, 4, 5, 6}), axis = tensor::scalar(std::int64_t{1});
    CHECK(elements_of<float>(result<ops>("onnx.CumSum", {x, axis})) == floats{1, 3, 6, 4, 9, 15});
    CHECK(elements_of<float>(result<ops>("onnx.CumSum", {x, axis}, {{"exclusive", std::int64_t{1}}})) == floats{0, 1, 3, 0, 4, 9});
    CHECK(elements_of<float>(result<ops>("onnx.CumSum", {x, axis}, {{"reverse", std::int64_t{1}}})) == floats{6, 5, 3, 15, 11, 6});
    CHECK(elements_of<float>(result<ops>("onnx.CumSum", {x, axis}, {{"exclusive", std::int64_t{1}}, {"reverse", std::int64_t{1}}})) ==
          floats{5, 3, 0, 11, 6, 0});
    CHECK(elements_of<float>(result<ops>("onnx.CumSum", {x, tensor::scalar(std::int32_t{-2})})) == floats{1, 2, 3, 5, 7, 9});
    CHECK(refused<ops>("onnx.CumSum", {x, tensor::scalar(std::int64_t{2})}, {}, "axis 2"));
}
