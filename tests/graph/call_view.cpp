// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/call_view.hpp>

#include <doctest/doctest.h>

TEST_CASE("an operand is there where it is within the arity and not left out") {
    const inlay::node_type row = inlay::tensor_type(inlay::element_type::float32, {4});
    const inlay::node_type left_out = inlay::node_type::tuple({});
    const inlay::tensor two = inlay::tensor::scalar(2.0f);
    const inlay::attribute_map attributes{{"axis", std::int64_t{1}}};
    const inlay::node_type* const types[] = {&row, &left_out, &row};
    const inlay::tensor* const constants[] = {nullptr, nullptr, &two};
    const inlay::call_view call{"onnx.Clip", &attributes, types, constants};
    CHECK(call.arity() == 3);
    CHECK(call.outputs == 1);
    CHECK(call.has(0));
    CHECK_FALSE(call.has(1));
    CHECK(call.has(2));
    CHECK_FALSE(call.has(3));
    CHECK(call.type(0) == row.of_tensor);
    CHECK(call.constant(0) == nullptr);
    CHECK(call.constant(2) == &two);
    CHECK(call.constant(99) == nullptr);
}

TEST_CASE("a view of nothing has no operands and no constants") {
    const inlay::call_view none;
    CHECK(none.arity() == 0);
    CHECK_FALSE(none.has(0));
    CHECK(none.constant(0) == nullptr);
}
