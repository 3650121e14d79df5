// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_loops/backend.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "emitted.hpp"

using namespace inlay;
using namespace cpu_loops_test;
using inlay_test::small_graph;

TEST_CASE("chains, moves and reductions of a region are one compiled nest that agrees with the interpreter") {
    {
        small_graph t;
        const node_id x = t.input({2, 3, 40, 50});
        const node_id turned =
            t.call("onnx.Transpose", {t.call("onnx.Mul", {x, t.random({3, 1, 1})})}, {{"perm", std::vector<std::int64_t>{0, 2, 3, 1}}});
        check_emitted(t.finish(t.call("onnx.Tanh", {t.call("onnx.Add", {turned, t.input({40, 50, 3})})})));
    }
    {
        small_graph t;
        check_emitted(t.finish(t.call("onnx.Softmax", {t.call("onnx.Add", {t.input({2, 40, 33}), t.input({33})})})));
    }
    {
        small_graph t;
        const node_id x = t.input({70, 41});
        check_emitted(t.finish(t.call("onnx.Relu", {t.call("onnx.ReduceMean", {t.call("onnx.Exp", {x}), t.integers({0})})})));
    }
    {
        small_graph t;
        check_emitted(t.finish(t.call("onnx.Transpose", {t.input({90, 130})}, {{"perm", std::vector<std::int64_t>{1, 0}}})));
    }
    {
        small_graph t;
        check_emitted(t.finish(t.call("onnx.Abs", {t.input({200000})})));
    }
    {
        small_graph t;
        const node_id x = t.input({4, 32, 6, 6});
        check_emitted(t.finish(t.call("onnx.GroupNormalization", {x, t.random({32}), t.random({32})}, {{"num_groups", std::int64_t{4}}})));
    }
}
