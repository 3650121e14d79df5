// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/onnx_call.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/ops/onnx/onnx_ops.hpp>

using namespace inlay;
using detail::onnx_call;
using detail::onnx_emitter;

static node_type floats(shape s) { return tensor_type(element_type::float32, std::move(s)); }

TEST_CASE("declared types fill what inference leaves open, and contradict nothing") {
    CHECK(detail::refined(node_type(), floats({2})) == floats({2}));
    CHECK(detail::refined(floats({extent(), 3}), floats({2, 4})) == floats({2, 3}));
    CHECK(detail::refined(tensor_type(element_type::float32), floats({2})) == floats({2}));
    CHECK(detail::refined(tensor_type(element_type::int8), floats({2})) == node_type(tensor_type(element_type::int8)));
    CHECK(detail::refined(floats({extent("n")}), floats({2})) == floats({extent("n")}));
    CHECK(detail::refined(floats({1, 2}), floats({2})) == floats({1, 2}));
    CHECK(detail::refined(node_type::tuple({node_type(), floats({1})}), node_type::tuple({floats({2}), floats({3})})) ==
          node_type::tuple({floats({2}), floats({1})}));
}

TEST_CASE("operands left out become one unit value per block, and none at the end") {
    ir_builder b;
    onnx_emitter e(b, nullptr);
    e.open_block();
    const node_id x = b.input("x", floats({2}));
    onnx_call c;
    c.op = "Resize";
    c.operands = {x, no_node, x, no_node};
    const node_id first = e.emit(c), second = e.emit(c);
    CHECK(b.so_far().arity(first) == 3);
    CHECK(b.so_far().operand(first, 1) == b.so_far().operand(second, 1));
    e.open_block();
    const node_id inner = e.emit(c);
    CHECK(b.so_far().operand(inner, 1) != b.so_far().operand(first, 1));
    e.leave_block();
    CHECK(b.so_far().operand(first, 1) == e.unit());
}

TEST_CASE("types are inferred while a program is built, and several outputs are a tuple even where no type is known") {
    ir_builder b;
    onnx_emitter e(b, &onnx_ops::find);
    e.open_block();
    const node_id x = b.input("x", floats({2, extent("n")}));
    onnx_call relu;
    relu.op = "Relu";
    relu.operands = {x};
    CHECK(b.so_far().type(e.emit(relu)) == floats({2, extent("n")}));
    onnx_call unknown;
    unknown.op = "Mystery";
    unknown.operands = {x};
    unknown.outputs = 3;
    CHECK(b.so_far().type(e.emit(unknown)).fields.size() == 3);
}

TEST_CASE("numbers take the element type of the operand that they stand beside") {
    ir_builder b;
    onnx_emitter e(b, nullptr);
    e.open_block();
    const auto made = [&](element_type t) { return *e.value_of(e.number(1.5, b.input("x", tensor_type(t)), "c")); };
    CHECK(made(element_type::float64).as<double>()[0] == 1.5);
    CHECK(made(element_type::float32).as<float>()[0] == 1.5f);
    CHECK(made(element_type::float16).as<std::uint16_t>()[0] == 0x3E00);
    CHECK(made(element_type::none).element() == element_type::float32);
}
