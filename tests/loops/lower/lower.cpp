// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/lower.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "lowered_alike.hpp"

using namespace inlay;

TEST_CASE("a small network comes out of one nest as out of the interpreter [loops.lower.network]") {
    const bool holds = rc::check([] {
        const tensor x = lowered::random_floats({1, 3, 8, 8}), w = lowered::random_floats({4, 3, 3, 3}),
                     v = lowered::random_floats({4, 1, 3, 3}), d = lowered::random_floats({4, 5});
        RC_ASSERT(lowered::difference(
                      {x, w, v, d},
                      [](ir_builder& g, const std::vector<node_id>& in) {
                          const attribute_map pads{{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}};
                          attribute_map grouped = pads;
                          grouped.set("group", std::int64_t{4});
                          const node_id first = g.call("onnx.Relu", {g.call("onnx.Conv", {in[0], in[1]}, pads)});
                          const node_id second =
                              g.call("onnx.Add", {g.call("onnx.HardSwish", {g.call("onnx.Conv", {first, in[2]}, grouped)}), first});
                          const node_id flat = g.call("onnx.Flatten", {g.call("onnx.GlobalAveragePool", {second})});
                          return g.call("onnx.Softmax", {g.call("onnx.Gemm", {flat, in[3]})});
                      },
                      nullptr, 1e-3) == "");
    });
    CHECK(holds);
}

TEST_CASE("what has no nest is said by operator [loops.lower.refused]") {
    const auto of = [](const char* op, const std::vector<tensor>& inputs) {
        return lowered::difference(inputs, [&](ir_builder& g, const std::vector<node_id>& in) { return g.call(op, in); });
    };
    CHECK(of("onnx.NonZero", {tensor(element_type::float32, {2})}).find("no loop nest") != std::string::npos);
    CHECK(of("onnx.Gather", {tensor(element_type::float32, {2}), tensor(element_type::int64, {2})}) ==
          "onnx.Gather: elements whose places are computed have no loop nest");
    CHECK(of("onnx.Hardmax", {tensor(element_type::float32, {2})}) ==
          "the operator 'onnx.Hardmax' has no loop nest: they sort, or choose among equals by their order");
    CHECK(lowering_of("onnx.Conv") != nullptr);
    CHECK(lowering_of("Conv") == nullptr);
}

TEST_CASE("a value that stages hand on and read again does not double either [loops.lower.doubling]") {
    tensor x(element_type::float32, {2, 2}), w(element_type::float32, {2, 2});
    x.as<float>()[1] = 1;
    for (float& v : w.as<float>()) v = 0.25f;
    CHECK(lowered::difference({x, w}, [](ir_builder& g, const std::vector<node_id>& in) {
              node_id now = in[0];
              for (int i = 0; i < 26; ++i)
                  now = g.call("onnx.Tanh", {g.call("onnx.Add", {g.call("onnx.MatMul", {now, in[1]}), g.call("onnx.Sub", {now, in[0]})})});
              return now;
          }) == "");
}
