// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/own_dequantized.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/passes/infer_types.hpp>

using namespace inlay;

TEST_CASE("every reader of dequantised numbers has them for itself, and results stay") {
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", tensor_type(element_type::uint8, {4}))};
    const node_id shared =
        b.call("onnx.DequantizeLinear", {x[0], b.constant(tensor::scalar(0.5f)), b.constant(tensor::scalar(std::uint8_t{3}))});
    const node_id twice = b.call("onnx.Mul", {shared, shared}), gate = b.call("onnx.Sigmoid", {shared});
    const node_id results[] = {b.call("onnx.Add", {twice, gate}), shared};
    b.declare(b.function(x, b.tuple(results), "main"));
    const auto typed = infer_types(b.finish());
    REQUIRE(typed);
    const ir_module made = with_own_dequantized(*typed);
    const user_lists users(made);
    std::size_t count = 0;
    for (node_id n = 0; n < made.size(); ++n) {
        if (made.kind(n) != node_kind::call) continue;
        if (made.op(n) == "onnx.DequantizeLinear") ++count;
        std::size_t readers = 0;
        for (const node_id u : users[n]) readers += made.kind(u) == node_kind::call ? 1 : 0;
        CHECK(readers <= 1);
    }
    CHECK(count == 2);
    std::vector<tensor> inputs{tensor::of<std::uint8_t>({4}, {0, 3, 100, 255})};
    const auto before = interpret(*typed, inputs), after = interpret(made, inputs);
    REQUIRE(before);
    REQUIRE(after);
    for (std::size_t r = 0; r < 2; ++r)
        for (std::size_t i = 0; i < 4; ++i) CHECK((*before)[r].as<float>()[i] == (*after)[r].as<float>()[i]);
}
