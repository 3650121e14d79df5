// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/reductions.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "lowered_alike.hpp"

using namespace inlay;

TEST_CASE("reductions over any axes come out alike [loops.lower.reductions]") {
    for (const char* op : {"onnx.ReduceSum", "onnx.ReduceMean", "onnx.ReduceProd", "onnx.ReduceMax", "onnx.ReduceMin",
                           "onnx.ReduceSumSquare", "onnx.ReduceL1", "onnx.ReduceL2", "onnx.ReduceLogSum", "onnx.ReduceLogSumExp"}) {
        CAPTURE(op);
        const bool holds = rc::check([&] {
            const bool is_logarithm = std::string(op) == "onnx.ReduceLogSum";
            const tensor x = lowered::random_floats({2, 3, *rc::gen::inRange<std::int64_t>(1, 5)}, is_logarithm);
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

TEST_CASE("softmax comes out alike [loops.lower.normalizations]") {
    const bool holds = rc::check([] {
        const tensor x = lowered::random_floats({2, 3, 4});
        const std::int64_t axis = *rc::gen::inRange(-3, 3);
        for (const char* op : {"onnx.Softmax", "onnx.LogSoftmax"})
            RC_ASSERT(lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) {
                          return g.call(op, {in[0]}, {{"axis", axis}});
                      }) == "");
    });
    CHECK(holds);
}

TEST_CASE("places of largest and least elements, and running sums, come out alike [loops.lower.scans]") {
    const bool holds = rc::check([] {
        const tensor x = lowered::random_floats({3, 4, 2});
        const std::int64_t axis = *rc::gen::inRange(-3, 3), keep = *rc::gen::inRange(0, 2), last = *rc::gen::inRange(0, 2);
        for (const char* op : {"onnx.ArgMax", "onnx.ArgMin"})
            RC_ASSERT(lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) {
                          const attribute_map how{{"axis", axis}, {"keepdims", keep}, {"select_last_index", last}};
                          return g.call(op, {g.call("onnx.Abs", {in[0]})}, how);
                      }) == "");
        RC_ASSERT(lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      const node_id along = g.constant(tensor::scalar(axis));
                      return g.call("onnx.CumSum", {g.call("onnx.Neg", {in[0]}), along}, {{"exclusive", keep}, {"reverse", last}});
                  }) == "");
    });
    CHECK(holds);
}

TEST_CASE("what is not a number is found before any number, and an end is no end of a sum [loops.lower.scans]") {
    const float none = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const tensor x = tensor::of({3, 4}, std::vector<float>{1, none, 2, none, 3, 3, -1, 3, -infinity, -infinity, -infinity, -infinity});
    for (const std::int64_t last : {0, 1})
        for (const char* op : {"onnx.ArgMax", "onnx.ArgMin"})
            CHECK(lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      return g.call(op, {in[0]}, {{"axis", std::int64_t{1}}, {"select_last_index", last}});
                  }) == "");
    const tensor large = tensor::of({2, 2}, std::vector<float>{300, 301, infinity, 1});
    CHECK(lowered::difference({large}, [&](ir_builder& g, const std::vector<node_id>& in) {
              return g.call("onnx.ReduceLogSumExp", {in[0], g.constant(tensor::of<std::int64_t>({1}, {1}))});
          }) == "");
}
