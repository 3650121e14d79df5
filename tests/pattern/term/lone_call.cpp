// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/term/lone_call.hpp>

#include <doctest/doctest.h>

#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

using namespace inlay;
using namespace inlay::dsl;

namespace {
template <class P>
bool names(P, std::string_view wanted) {
    return names_call(view_of(P{}), wanted);
}
}  // namespace

TEST_CASE("a pattern names an operator where it may take a call of it by itself") {
    CHECK(names(op<"onnx.Gelu">, "onnx.Gelu"));
    CHECK_FALSE(names(op<"onnx.Gelu">, "onnx.Erf"));
    CHECK(names(op<"onnx.Gelu">(any), "onnx.Gelu"));
    CHECK(names(op<"onnx.LayerNormalization">(any, constant, rest), "onnx.LayerNormalization"));
    CHECK(names(op<"onnx.Relu">(any) | op<"onnx.Gelu">(any), "onnx.Gelu"));
    CHECK(names(as<"x">(op<"onnx.Gelu">(any)), "onnx.Gelu"));
}

TEST_CASE("what needs another call behind it, or takes any operator, names none by itself") {
    CHECK_FALSE(names(op<"onnx.Gelu">(op<"onnx.Conv">(any, any, rest)), "onnx.Gelu"));
    CHECK_FALSE(names(op<"onnx.Gelu">(op<"onnx.Conv">(any, any, rest)), "onnx.Conv"));
    CHECK(names(op<"onnx.Gelu">(op<"onnx.Conv">(any, any, rest) | any), "onnx.Gelu"));
    CHECK_FALSE(names(any_call, "onnx.Gelu"));
    CHECK_FALSE(names(any, "onnx.Gelu"));
}
