// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/elementwise.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "lowered_alike.hpp"

using namespace inlay;

TEST_CASE("functions of one tensor come out of a nest as out of the interpreter [loops.lower.unary]") {
    for (const char* op :
         {"Abs", "Neg",  "Exp",     "Sin",         "Cos",       "Tanh",     "Erf",  "Floor",    "Ceil", "Round", "Relu",      "LeakyRelu",
          "Elu", "Selu", "Sigmoid", "HardSigmoid", "HardSwish", "Softplus", "Gelu", "Identity", "Log",  "Sqrt",  "Reciprocal"}) {
        CAPTURE(op);
        const bool holds = rc::check([&] {
            const std::string name = op;
            const tensor x =
                lowered::random_floats({2, *rc::gen::inRange<std::int64_t>(1, 6)}, name == "Log" || name == "Sqrt" || name == "Reciprocal");
            RC_ASSERT(lowered::difference(
                          {x}, [&](ir_builder& b, const std::vector<node_id>& in) { return b.call("onnx." + name, {in[0]}); }) == "");
        });
        CHECK(holds);
    }
}

TEST_CASE("functions of several tensors broadcast as the interpreter does [loops.lower.binary]") {
    for (const char* op : {"Add", "Sub", "Mul", "Div", "Max", "Min", "PRelu", "Pow", "Sum", "Mean"}) {
        CAPTURE(op);
        const bool holds = rc::check([&] {
            const auto n = *rc::gen::inRange<std::int64_t>(1, 4);
            const std::vector<std::int64_t> shapes[] = {{2, 3, n}, {n}, {3, 1}, {1, 1, n}};
            const tensor x = lowered::random_floats(shapes[0], true),
                         y = lowered::random_floats(shapes[*rc::gen::inRange<std::size_t>(0, 4)], true);
            RC_ASSERT(lowered::difference({x, y}, [&](ir_builder& b, const std::vector<node_id>& in) {
                          return b.call(std::string("onnx.") + op, {in[0], in[1]});
                      }) == "");
        });
        CHECK(holds);
    }
}

TEST_CASE("comparisons, choices and casts come out alike [loops.lower.choices]") {
    for (const char* op : {"Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal"}) {
        CAPTURE(op);
        const bool holds = rc::check([&] {
            const tensor x = lowered::random_floats({3, 4}), y = lowered::random_floats({4});
            RC_ASSERT(
                lowered::difference({x, y}, [&](ir_builder& b, const std::vector<node_id>& in) {
                    const node_id when = b.call("onnx.Not", {b.call(std::string("onnx.") + op, {in[0], in[1]})});
                    return b.call(
                        "onnx.Where",
                        {when, b.call("onnx.Clip", {in[0], b.constant(tensor::scalar(-0.5f)), b.constant(tensor::scalar(0.5f))}), in[1]});
                }) == "");
            RC_ASSERT(lowered::difference({x}, [&](ir_builder& b, const std::vector<node_id>& in) {
                          return b.call("onnx.Cast", {in[0]}, {{"to", std::int64_t{6}}});
                      }) == "");
        });
        CHECK(holds);
    }
}

TEST_CASE("a chain is computed place by place in one stage, each value once [loops.lower.fused]") {
    std::string text;
    const std::string off = lowered::difference(
        {tensor(element_type::float32, {4})},
        [](ir_builder& b, const std::vector<node_id>& in) {
            const node_id x = b.call("onnx.Tanh", {in[0]});
            return b.call("onnx.Mul", {x, b.call("onnx.Sigmoid", {x})});
        },
        &text);
    CHECK(off == "");
    CHECK(text == R"(nest trial {
    input x: float32[4]
    output y: float32[4]
    for i < 4 {
        stack v: float32[1] {
            stack v_1: float32[1] {
                stack v_2: float32[1] {
                    v[0] = tanh(x[i])
                    v_1[0] = 1.0 / (1.0 + exp(negate(v[0])))
                    v_2[0] = v[0] * v_1[0]
                    y[i] = v_2[0]
                }
            }
        }
    }
}
)");
}

TEST_CASE("what is read again and again does not grow without bound [loops.lower.doubling]") {
    std::string text;
    const std::string off = lowered::difference(
        {tensor(element_type::float32, {2, 2})},
        [](ir_builder& b, const std::vector<node_id>& in) {
            node_id x = in[0];
            for (int i = 0; i < 40; ++i) x = b.call("onnx.Add", {x, b.call("onnx.Transpose", {x})});
            return x;
        },
        &text);
    CHECK(off == "");
    CHECK(text.size() < 200000);
}
