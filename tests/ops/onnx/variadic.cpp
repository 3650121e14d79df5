// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/variadic.hpp>

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

using ops = onnx_variadics<>;

TEST_CASE("Any number of operands is combined") {
    const tensor a = list_of(floats{1, 5, -3}), b = list_of(floats{2, 4, -6}), c = tensor::of<float>({2, 1}, floats{3, 0});
    CHECK(elements_of<float>(result<ops>("onnx.Sum", {a, b, c})) == floats{6, 12, -6, 3, 9, -9});
    CHECK(elements_of<float>(result<ops>("onnx.Mean", {a, b, c})) == floats{2, 4, -2, 1, 3, -3});
    CHECK(elements_of<float>(result<ops>("onnx.Max", {a, b, c})) == floats{3, 5, 3, 2, 5, 0});
    CHECK(elements_of<float>(result<ops>("onnx.Min", {a, b, c})) == floats{1, 3, -6, 0, 0, -6});
    CHECK(elements_of<float>(result<ops>("onnx.Max", {a})) == floats{1, 5, -3});
    CHECK(elements_of<std::int64_t>(result<ops>("onnx.Min", {list(ints{3, 4}), list(ints{4, 2})})) == ints{3, 2});
}

TEST_CASE("NaN wins on either side") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const char* name : {"onnx.Max", "onnx.Min"}) {
        const tensor y = result<ops>(name, {list_of(floats{nan, 1}), list_of(floats{1, nan})});
        CHECK(std::isnan(y.as<float>()[0]));
        CHECK(std::isnan(y.as<float>()[1]));
    }
}

TEST_CASE("The type is the shape to which all are stretched") {
    CHECK(inferred<ops>("onnx.Sum", {f32({symbol("n"), 1}), f32({4}), f32({1, 1, 1})}) == "float32[1,n,4]");
    CHECK(refused<ops>("onnx.Sum", {f32({2}), f32({2}), f32({3})}, {}, "cannot stretch"));
    CHECK(refused<ops>("onnx.Sum", {}, {}, "operand 0"));
    CHECK(refused<ops>("onnx.Max", {f32({2}), {}}, {}, "operand 1"));
}
