// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/slices.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/onednn/backend.hpp>
#include <inlay/runtime/tbb.hpp>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;
using extents = std::vector<std::int64_t>;

namespace {

/// How many format tuples are taken in slices, each computed right on the threads of a pool.
std::size_t ways_in_slices(const ir_module& g, const char* composite) {
    tbb_executor threads(3);
    onednn self;
    self.threads = 3;
    return take_by(self, g, 2e-5, -2, 2, executor_ref(threads)).count(composite);
}

}  // namespace

TEST_CASE("outputs are cut into up to two slices for each thread, none too small") {
    CHECK(detail::onednn_cuts(64, 16, 32, 2) == extents{0, 32, 64});
    CHECK(detail::onednn_cuts(256, 16, 32, 2) == extents{0, 64, 128, 192, 256});
    CHECK(detail::onednn_cuts(100, 16, 32, 2) == extents{0, 32, 64, 100});
    CHECK(detail::onednn_cuts(20, 16, 32, 2) == extents{0, 20});
    CHECK(detail::onednn_cuts(1, 16, 64, 8) == extents{0, 1});
}

TEST_CASE("convolutions in slices agree with their definition, with what follows them") {
    for (const bool last : {false, true})
        for (const std::int64_t outputs : {64, 80, 100}) {
            CAPTURE(outputs);
            small_graph s;
            const node_id c = s.call("onnx.Conv", {s.input({1, 32, 9, 8}), s.random({outputs, 32, 3, 3}), s.random({outputs})},
                                     {{"pads", extents{1, 1, 1, 1}}});
            const node_id y = s.call("onnx.Relu", {last ? s.call("onnx.Add", {s.normalized(c, outputs), s.input({1, outputs, 9, 8})}) : c});
            CHECK(ways_in_slices(s.finish(y), "convolution_in_slices") >= 1);
        }
}

TEST_CASE("convolutions whose slices are no runs of bytes, or that no second thread may help, are not offered in slices") {
    const auto conv = [](extents x, extents w, std::int64_t groups) {
        small_graph s;
        return s.finish(s.call("onnx.Conv", {s.input(std::move(x)), s.random(std::move(w))}, {{"group", groups}}));
    };
    CHECK(ways_in_slices(conv({2, 16, 5, 5}, {64, 16, 1, 1}, 1), "convolution_in_slices") == 0);
    CHECK(ways_in_slices(conv({1, 64, 5, 5}, {64, 1, 3, 3}, 64), "convolution_in_slices") == 0);
    CHECK(ways_in_slices(conv({1, 16, 5, 5}, {16, 16, 1, 1}, 1), "convolution_in_slices") == 0);
    CHECK(take({}, conv({1, 16, 5, 5}, {64, 16, 1, 1}, 1)).count("convolution_in_slices") == 0);
}

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
