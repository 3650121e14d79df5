// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/elementwise_function.hpp>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::detail;
using form = elementwise_function::form;

TEST_CASE("operators of one operand are functions with their parameters") {
    const auto leaky = function_of_operator("onnx.LeakyRelu", attribute_map{{"alpha", 0.25}});
    REQUIRE(leaky.has_value());
    CHECK(leaky->kind == form::relu);
    CHECK(leaky->alpha == 0.25);
    CHECK(function_of_operator("onnx.Neg", {})->alpha == -1);
    CHECK(function_of_operator("onnx.Gelu", attribute_map{{"approximate", "tanh"}})->kind == form::gelu_tanh);
    CHECK_FALSE(function_of_operator("onnx.Conv", {}).has_value());
}

TEST_CASE("what cuts off below 0 alone is a Relu, however it is spelled") {
    CHECK(is_relu({form::relu}));
    CHECK(is_relu({form::clip, 0, elementwise_function::infinity}));
    CHECK_FALSE(is_relu({form::relu, 0.25}));
    CHECK_FALSE(is_relu({form::clip, 0, 6}));
    CHECK_FALSE(is_relu({form::elu}));
}

TEST_CASE("a number beside the operand makes a function, on either side") {
    CHECK(function_with_number("onnx.Sub", 4, false)->beta == -4);
    CHECK(function_with_number("onnx.Sub", 4, true)->alpha == -1);
    CHECK(function_with_number("onnx.Div", 4, true)->kind == form::power);
    CHECK(function_with_number("onnx.Max", 4, true)->beta == elementwise_function::infinity);
    CHECK(function_with_number("onnx.Pow", 2, false)->kind == form::square);
    CHECK(function_with_number("onnx.Pow", 3, false)->beta == 3);
    CHECK_FALSE(function_with_number("onnx.Pow", 3, true).has_value());
}
