// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/generation.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "lowered_alike.hpp"

using namespace inlay;

TEST_CASE("tensors that are made of numbers and places come out alike [loops.lower.generation]") {
    const bool holds = rc::check([] {
        const auto some = [](std::int64_t low, std::int64_t high) { return *rc::gen::inRange(low, high); };
        const tensor x = lowered::random_floats({2, 4, 5});
        const std::int64_t k = some(-6, 7), upper = some(0, 2), axis = some(-4, 4);
        RC_ASSERT(lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      return g.call("onnx.Trilu", {g.call("onnx.Exp", {in[0]}), g.constant(tensor::scalar(k))}, {{"upper", upper}});
                  }) == "");
        RC_ASSERT(lowered::difference({lowered::random_floats({4, 5})}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      return g.call("onnx.Add", {in[0], g.call("onnx.EyeLike", {in[0]}, {{"k", k}})});
                  }) == "");
        RC_ASSERT(lowered::difference({lowered::random_floats({6})}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      const auto number = [&](float v) { return g.constant(tensor::scalar(v)); };
                      return g.call("onnx.Mul", {in[0], g.call("onnx.Range", {number(0.5f), number(5.0f), number(0.75f)})});
                  }) == "");
        RC_ASSERT(lowered::difference({lowered::random_floats({3})}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      const tensor seven = tensor::of({1}, std::vector<float>{7});
                      const node_id shape = g.constant(tensor::of<std::int64_t>({2}, {2, 3}));
                      return g.call("onnx.Add", {in[0], g.call("onnx.ConstantOfShape", {shape}, {{"value", seven}})});
                  }) == "");
        tensor places(element_type::int64, {2, 3, 2});
        for (std::int64_t& p : places.as<std::int64_t>()) p = some(-7, 7);
        RC_ASSERT(lowered::difference({places}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      const node_id values = g.constant(tensor::of({2}, std::vector<float>{0.25f, 4}));
                      return g.call("onnx.OneHot", {in[0], g.constant(tensor::scalar(std::int64_t{5})), values}, {{"axis", axis}});
                  }) == "");
    });
    CHECK(holds);
}
