// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/movement.hpp>

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
