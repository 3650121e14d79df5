// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cublas_lt/matmul.hpp>

#include <doctest/doctest.h>

#include <inlay/backend/cublas_lt/backend.hpp>

#include "../take.hpp"

using namespace inlay;
using namespace inlay_test;

TEST_CASE("the largest match takes a bias, another tensor and a Relu, and a transposed result alone") {
    const auto taken = [](const ir_module& g) {
        const sized_match m = largest_match(cublas_lt(), g);
        return m.refusal.empty() ? m.nodes.size() : 0;
    };
    {
        small_graph t;
        const node_id y = t.call("onnx.Add", {t.call("onnx.MatMul", {t.input({4, 5}), t.random({5, 6})}), t.random({6})});
        CHECK(taken(t.finish(t.call("onnx.Relu", {t.call("onnx.Add", {t.input({4, 6}), y})}))) == 4);
    }
    {
        small_graph t;
        const node_id y = t.call("onnx.Gemm", {t.input({4, 5}), t.random({5, 6}), t.random({6})});
        CHECK(taken(t.finish(t.call("onnx.Relu", {t.call("onnx.Add", {t.input({4, 6}), y})}))) == 3);
    }
    small_graph t;
    const node_id y = t.call("onnx.MatMul", {t.call("onnx.Transpose", {t.input({5, 4})}), t.input({5, 6})});
    CHECK(taken(t.finish(t.call("onnx.Transpose", {y}))) == 3);
}

TEST_CASE("what the library does not compute is refused in its name") {
    small_graph t;
    const node_id y = t.call("onnx.MatMul", {t.input({4, 5}), t.input({5, 6})});
    const whole_region whole(t.finish(t.call("onnx.Sigmoid", {y})));
    CHECK(detail::cublas_lt_matmul::read_region(whole.view()).failure().message ==
          "onnx.Sigmoid behind the product is none of cuBLASLt's epilogues, of which Relu is taken");
}
