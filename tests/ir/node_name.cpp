// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/node_name.hpp>

#include <span>

#include <doctest/doctest.h>

#include <inlay/graph/tensor_type.hpp>
#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

TEST_CASE("a node is found by its own name, by one of its origins' or by its number, in this order; else the nearest name is told") {
    const node_type row = tensor_type(element_type::float32, {4});
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", row);
    const node_id plain = b.call("onnx.Relu", {x}, {}, row);
    const node_id sum = b.call("onnx.Add", {plain, x}, {}, row, "sum");
    b.set_origins(sum, {"bias", "x"});
    const node_id four = b.call("onnx.Relu", {sum}, {}, row, "1");
    b.declare(b.function(std::span(&x, 1), four, "main"));
    const ir_module m = b.finish();

    CHECK(name_of_node(m, sum) == "sum");
    CHECK(name_of_node(m, plain) == "onnx.Relu#1");
    CHECK(*node_named(m, "sum") == sum);
    CHECK(*node_named(m, "onnx.Relu#1") == plain);
    CHECK(*node_named(m, "bias") == sum);
    CHECK(*node_named(m, "x") == x);
    CHECK(*node_named(m, "2") == sum);
    CHECK(*node_named(m, "1") == four);
    for (const char* name : {"summ", "17", "-1", "2 ", "main"}) CHECK_FALSE(node_named(m, name).has_value());
    CHECK(node_named(m, "summ").failure().message == "the model has no node 'summ' (did you mean 'sum'?)");
}
