// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/elementwise_operators.hpp>

#include <doctest/doctest.h>

#include <inlay/pattern/dsl/dsl.hpp>

using namespace inlay;

static_assert(pattern<decltype(detail::pattern_of_elementwise_functions())>);
static_assert(pattern<decltype(detail::pattern_of_elementwise_operations())>);

TEST_CASE("operators that go element by element are known by name") {
    for (const char* op : {"onnx.Add", "onnx.Div", "onnx.Relu", "onnx.Clip", "onnx.HardSigmoid", "onnx.Pow", "onnx.Gelu"}) {
        CAPTURE(op);
        CHECK(detail::is_elementwise_operator(op));
    }
    for (const char* op : {"onnx.Conv", "onnx.Softmax", "onnx.MatMul", "Add"}) {
        CAPTURE(op);
        CHECK_FALSE(detail::is_elementwise_operator(op));
    }
}
