// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/reductions.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "lowered_alike.hpp"

using namespace inlay;

TEST_CASE("reductions over any axes come out alike [loops.lower.reductions]") {
    for (const char* op : {"onnx.ReduceSum", "onnx.ReduceMean", "onnx.ReduceProd", "onnx.ReduceMax", "onnx.ReduceMin"}) {
        CAPTURE(op);
        const bool holds = rc::check([&] {
            const tensor x = lowered::random_floats({2, 3, *rc::gen::inRange<std::int64_t>(1, 5)});
            const std::vector<std::int64_t> axes = *rc::gen::element(std::vector<std::int64_t>{0}, std::vector<std::int64_t>{1, 2},
                                                                     std::vector<std::int64_t>{-1}, std::vector<std::int64_t>{0, 1, 2});
            const std::int64_t keep = *rc::gen::inRange(0, 2);
            RC_ASSERT(lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) {
                          const node_id over = g.constant(tensor::of({static_cast<std::int64_t>(axes.size())}, axes));
                          return g.call("onnx.Neg", {g.call(op, {in[0], over}, {{"keepdims", keep}})});
                      }) == "");
        });
        CHECK(holds);
    }
}

TEST_CASE("normalizations come out alike [loops.lower.normalizations]") {
    const bool holds = rc::check([] {
        const tensor x = lowered::random_floats({2, 3, 4}), scale = lowered::random_floats({4}), shift = lowered::random_floats({4});
        const std::int64_t axis = *rc::gen::inRange(-3, 3);
        for (const char* op : {"onnx.Softmax", "onnx.LogSoftmax"})
            RC_ASSERT(lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) {
                          return g.call(op, {in[0]}, {{"axis", axis}});
                      }) == "");
        RC_ASSERT(lowered::difference({x, scale, shift}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      return g.call("onnx.LayerNormalization", {in[0], in[1], in[2]});
                  }) == "");
        const tensor of_channel = lowered::random_floats({3}), spread = lowered::random_floats({3}, true);
        RC_ASSERT(lowered::difference({x, of_channel, of_channel, of_channel, spread}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      return g.call("onnx.BatchNormalization", {in[0], in[1], in[2], in[3], in[4]});
                  }) == "");
    });
    CHECK(holds);
}
