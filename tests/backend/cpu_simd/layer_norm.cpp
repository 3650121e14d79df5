// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/layer_norm.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

TEST_CASE("layer normalisation agrees with its definition, one operator or written out") {
    for (const std::int64_t count : {1, 9, 64, 770}) {
        CAPTURE(count);
        small_graph t;
        expect_taken(t.finish(t.call("onnx.LayerNormalization", {t.input({2, 5, count}), t.random({count}), t.random({count})})), 1, 3e-5);
        small_graph u;
        expect_taken(
            u.finish(u.call("onnx.LayerNormalization", {u.input({2, 5, count}), u.random({5, count})}, {{"axis", std::int64_t{1}}})), 1,
            3e-5);
    }
    for_each_special([](float special) {
        small_graph t;
        const node_id x = input_with(t, {3, 33}, special, 65);
        expect_taken(t.finish(t.call("onnx.LayerNormalization", {x, t.random({33}), t.random({33})})), 1, 3e-5);
    });
    small_graph t;
    const node_id x = t.input({4, 33});
    const node_id d = t.call("onnx.Sub", {x, t.call("onnx.ReduceMean", {x, t.integers({-1})})});
    const node_id square = t.call("onnx.Pow", {d, t.scalar(2)});
    const node_id deviation =
        t.call("onnx.Sqrt", {t.call("onnx.Add", {t.call("onnx.ReduceMean", {square, t.integers({-1})}), t.scalar(1e-5f)})});
    const node_id y = t.call("onnx.Mul", {t.call("onnx.Div", {d, deviation}), t.random({33})});
    CHECK(expect_taken(t.finish(t.call("onnx.Add", {y, t.random({33})})), 9, 3e-5).composite == "layer_norm_spelled");
}
