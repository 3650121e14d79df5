// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/movement.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "lowered_alike.hpp"

using namespace inlay;

TEST_CASE("transposed, reshaped and joined tensors hold the same elements [loops.lower.movement]") {
    const bool holds = rc::check([] {
        const tensor x = lowered::random_floats({2, 3, 4}), y = lowered::random_floats({2, 2, 4}), z = lowered::random_floats({2, 1, 4});
        RC_ASSERT(lowered::difference({x}, [](ir_builder& g, const std::vector<node_id>& in) {
                      const node_id turned =
                          g.call("onnx.Transpose", {g.call("onnx.Exp", {in[0]})}, {{"perm", std::vector<std::int64_t>{2, 0, 1}}});
                      return g.call("onnx.Neg", {g.call("onnx.Reshape", {turned, g.constant(tensor::of<std::int64_t>({2}, {3, -1}))})});
                  }) == "");
        RC_ASSERT(lowered::difference({x, y, z}, [](ir_builder& g, const std::vector<node_id>& in) {
                      return g.call("onnx.Concat", {in[0], g.call("onnx.Tanh", {in[1]}), in[2]}, {{"axis", std::int64_t{1}}});
                  }) == "");
        RC_ASSERT(lowered::difference({x}, [](ir_builder& g, const std::vector<node_id>& in) {
                      return g.call("onnx.Flatten", {in[0]}, {{"axis", std::int64_t{2}}});
                  }) == "");
    });
    CHECK(holds);
}

namespace {
using numbers = std::vector<std::int64_t>;
node_id listed(ir_builder& g, const numbers& values) { return g.constant(tensor::of({static_cast<std::int64_t>(values.size())}, values)); }
std::int64_t some(std::int64_t low, std::int64_t high) { return *rc::gen::inRange(low, high); }
}  // namespace

TEST_CASE("slices, parts and broadcasts hold the elements that they take [loops.lower.parts]") {
    const bool holds = rc::check([] {
        const tensor x = lowered::random_floats({4, 6, 5});
        const std::int64_t step = *rc::gen::element<std::int64_t>(-2, -1, 1, 3);
        const numbers starts{some(-7, 8), some(-7, 8)}, ends{some(-7, 8), some(-7, 8)};
        RC_ASSERT(lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      const node_id cut = g.call("onnx.Slice", {g.call("onnx.Exp", {in[0]}), listed(g, starts), listed(g, ends),
                                                                listed(g, {1, -1}), listed(g, {step, 1})});
                      return g.call("onnx.Neg", {cut});
                  }) == "");
        RC_ASSERT(
            lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) {
                const auto part = [](std::int64_t extent) { return node_type(tensor_type(element_type::float32, {4, extent, 5})); };
                const node_id whole = g.call("onnx.Split", {g.call("onnx.Tanh", {in[0]}), listed(g, {1, 3, 2})},
                                             {{"axis", std::int64_t{1}}}, node_type::tuple({part(1), part(3), part(2)}));
                return g.call("onnx.Add", {g.projection(whole, 0), g.call("onnx.ReduceSum", {g.projection(whole, 1), listed(g, {1})})});
            }) == "");
        RC_ASSERT(lowered::difference({lowered::random_floats({3, 1})}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      return g.call("onnx.Expand", {g.call("onnx.Neg", {in[0]}), listed(g, {2, 1, 4})});
                  }) == "");
        RC_ASSERT(lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      return g.call("onnx.Tile", {g.call("onnx.Neg", {in[0]}), listed(g, {2, 1, 3})});
                  }) == "");
    });
    CHECK(holds);
}

TEST_CASE("padded axes go on as their mode says [loops.lower.padding]") {
    const bool holds = rc::check([] {
        const tensor x = lowered::random_floats({2, 4, 5});
        const std::string mode = *rc::gen::element<std::string>("constant", "edge", "reflect", "wrap");
        const numbers pads{0, some(-1, 4), some(0, 6), 0, some(0, 4), some(-2, 4)};
        RC_ASSERT(lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      const node_id filler = g.constant(tensor::scalar(0.5f));
                      return g.call("onnx.Pad", {g.call("onnx.Exp", {in[0]}), listed(g, pads), filler}, {{"mode", mode}});
                  }) == "");
    });
    CHECK(holds);
}

TEST_CASE("elements at places that are known hold the same [loops.lower.gather]") {
    const bool holds = rc::check([] {
        const tensor x = lowered::random_floats({3, 5, 2});
        const numbers places{some(-5, 5), some(-5, 5), some(-5, 5), some(-5, 5)};
        const std::int64_t axis = some(-3, 3), extent = x.extents()[static_cast<std::size_t>(axis < 0 ? axis + 3 : axis)];
        numbers inside;
        for (const std::int64_t p : places) inside.push_back(p % extent);
        RC_ASSERT(lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      const node_id at = g.constant(tensor::of({2, 2}, inside));
                      return g.call("onnx.Gather", {g.call("onnx.Neg", {in[0]}), at}, {{"axis", axis}});
                  }) == "");
        RC_ASSERT(lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      return g.call("onnx.Gather", {in[0], g.constant(tensor::scalar(std::int64_t{1}))}, {{"axis", axis}});
                  }) == "");
    });
    CHECK(holds);
}

TEST_CASE("blocks become channels and channels blocks [loops.lower.blocks]") {
    for (const char* mode : {"DCR", "CRD"}) {
        const bool holds = rc::check([&] {
            RC_ASSERT(lowered::difference({lowered::random_floats({1, 8, 2, 3})}, [&](ir_builder& g, const std::vector<node_id>& in) {
                          return g.call("onnx.DepthToSpace", {in[0]}, {{"blocksize", std::int64_t{2}}, {"mode", mode}});
                      }) == "");
            RC_ASSERT(lowered::difference({lowered::random_floats({2, 2, 4, 6})}, [&](ir_builder& g, const std::vector<node_id>& in) {
                          return g.call("onnx.SpaceToDepth", {in[0]}, {{"blocksize", std::int64_t{2}}});
                      }) == "");
        });
        CHECK(holds);
    }
}
