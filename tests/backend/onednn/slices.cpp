// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/slices.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/onednn/backend.hpp>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;
using extents = std::vector<std::int64_t>;

TEST_CASE("products in slices agree with their definition, with what follows them") {
    for (const std::int64_t columns : {128, 200}) {
        CAPTURE(columns);
        small_graph s;
        const node_id y = s.call("onnx.Add", {s.call("onnx.MatMul", {s.input({1, 5, 24}), s.random({24, columns})}), s.random({columns})});
        CHECK(ways_in_slices(s.finish(s.call("onnx.Relu", {y})), "matrix_product_in_slices") == 1);
        small_graph t;
        const node_id z =
            t.call("onnx.Gemm", {t.input({5, 24}), t.random({columns, 24}), t.random({1})}, {{"transB", std::int64_t{1}}, {"alpha", 0.5}});
        CHECK(ways_in_slices(t.finish(z), "gemm_in_slices") == 1);
        small_graph u;
        const node_id sum = u.call("onnx.Add", {u.call("onnx.MatMul", {u.input({5, 24}), u.random({24, columns})}), u.input({5, columns})});
        (void)ways_in_slices(u.finish(sum), "matrix_product_in_slices");
    }
    small_graph s;
    CHECK(ways_in_slices(s.finish(s.call("onnx.MatMul", {s.input({5, 24}), s.input({24, 128})})), "matrix_product_in_slices") == 0);
}
