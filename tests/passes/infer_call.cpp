// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/infer_call.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/joining.hpp>
#include <inlay/ops/op_table.hpp>

using namespace inlay;

TEST_CASE("a call has the type that its operator's rule gives, or none that is known") {
    const node_type row(tensor_type(element_type::float32, {2}));
    const node_type* const types[] = {&row, &row};
    const tensor* const constants[] = {nullptr, nullptr};
    const attribute_map none;
    using ops_here = op_table<onnx_arithmetic<>>;
    CHECK(to_string(*infer_call<ops_here>({"onnx.Add", &none, types, constants, 1})) == "float32[2]");
    CHECK(infer_call<ops_here>({"onnx.Nothing", &none, types, constants, 1})->kind == node_type::form::unknown);
    CHECK_FALSE(infer_call<ops_here>({"onnx.Add", &none, {types, 1}, {constants, 1}, 1}));
}

TEST_CASE("a call without an attribute that it needs has no type") {
    const node_type row(tensor_type(element_type::float32, {2}));
    const node_type* const types[] = {&row, &row};
    const tensor* const constants[] = {nullptr, nullptr};
    attribute_map attributes;
    using ops_here = op_table<onnx_joining<>>;
    const auto lacking = infer_call<ops_here>({"onnx.Concat", &attributes, types, constants, 1});
    REQUIRE_FALSE(lacking);
    CHECK(lacking.failure().message == "lacks the attribute 'axis', an integer that onnx.Concat needs; give it one");
    attributes.set("axis", std::int64_t{0});
    CHECK(to_string(*infer_call<ops_here>({"onnx.Concat", &attributes, types, constants, 1})) == "float32[4]");
}
