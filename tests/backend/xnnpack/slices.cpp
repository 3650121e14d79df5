// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/slices.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <inlay/backend/xnnpack/backend.hpp>

#include "take.hpp"

using namespace inlay;
using namespace xnnpack_test;

namespace {

auto picker(std::mt19937& random) {
    return [&random](std::int64_t low, std::int64_t high) { return std::uniform_int_distribution<std::int64_t>(low, high)(random); };
}

}  // namespace

TEST_CASE("weights are packed for each slice only where that is little memory") {
    CHECK(detail::xnnpack_may_copy(4, 1 << 16));
    CHECK_FALSE(detail::xnnpack_may_copy(4, (1 << 16) + 1));
}

TEST_CASE("convolutions of random forms in slices of rows or images agree with their definition") {
    for (unsigned seed = 1; seed <= 24; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = picker(random);
        const std::int64_t groups = pick(0, 2) == 0 ? pick(2, 24) : 1;
        const std::int64_t in = groups * (groups > 1 ? pick(1, 2) : pick(8, 24)), out = groups * (groups > 1 ? pick(1, 2) : pick(8, 40));
        const std::int64_t kh = pick(1, 4), kw = pick(1, 4), stride = pick(1, 2);
        const std::int64_t least = stride * std::max<std::int64_t>(30, 90 * groups / in);
        small_graph t(seed);
        const node_id x = t.input({pick(1, 8), in, least + pick(0, 9), least + 10 + pick(0, 9)});
        const attribute_map a{{"group", groups},
                              {"strides", extents{stride, pick(1, 2)}},
                              {"dilations", extents{pick(1, 2), pick(1, 2)}},
                              {"pads", extents{pick(0, 3), pick(0, 2), pick(0, 3), pick(0, 2)}}};
        node_id y = t.call("onnx.Conv", {x, t.random({out, in / groups, kh, kw}), t.random({out})}, a);
        if (pick(0, 1) == 0) y = t.call("onnx.Relu", {t.normalized(y, out)});
        CHECK(ways_in_slices(t.finish(y), "convolution_in_slices") == 1);
    }
}

TEST_CASE("convolutions of large weights are cut into outputs or groups") {
    for (const std::int64_t groups : {1, 2, 5, 40})
        for (const std::int64_t images : {1, 2}) {
            CAPTURE(groups);
            small_graph t;
            const std::int64_t in = 280, out = groups == 40 ? 1000 : 400;
            const node_id w = t.random({out, in / groups, 3, groups == 40 ? 5 : 3});
            const node_id y = t.call("onnx.Conv", {t.input({images, in, 7, 9}), w, t.random({out})},
                                     {{"group", groups}, {"pads", extents{1, 0, 1, 2}}, {"strides", extents{1, 2}}});
            CHECK(ways_in_slices(t.finish(t.call("onnx.Clip", {y, t.scalar(-9), t.scalar(15)})), "convolution_in_slices") == 1);
        }
}

TEST_CASE("transposed convolutions are cut into images, outputs or groups") {
    for (const std::int64_t groups : {1, 2, 4})
        for (const std::int64_t images : {1, 2, 6})
            for (const std::int64_t in : {16, 128}) {
                CAPTURE(groups);
                CAPTURE(images);
                small_graph t;
                const node_id y = t.call(
                    "onnx.ConvTranspose", {t.input({images, in, 9, 11}), t.random({in, 96 / groups, 3, 4}), t.random({96})},
                    {{"group", groups}, {"strides", extents{2, 1}}, {"pads", extents{1, 0, 0, 1}}, {"output_padding", extents{1, 0}}});
                CHECK(ways_in_slices(t.finish(t.call("onnx.Relu", {y})), "transposed_convolution_in_slices") == 1);
            }
}

TEST_CASE("products are cut into rows or, of large matrices, into columns") {
    for (const std::int64_t columns : {40, 1000, 1500})
        for (const std::int64_t rows : {90, 100}) {
            CAPTURE(columns);
            small_graph t;
            const node_id y =
                t.call("onnx.Add", {t.call("onnx.MatMul", {t.input({2, rows, 200}), t.random({200, columns})}), t.random({columns})});
            CHECK(ways_in_slices(t.finish(t.call("onnx.Relu", {y})), "fully_connected_in_slices") == 1);
            small_graph u;
            const node_id z = u.call("onnx.Gemm", {u.input({rows, 200}), u.random({columns, 200}), u.random({columns})},
                                     {{"transB", std::int64_t{1}}, {"alpha", 0.5}});
            CHECK(ways_in_slices(u.finish(z), "fully_connected_in_slices") == 1);
        }
}

TEST_CASE("poolings are cut into rows or images") {
    for (const char* op : {"onnx.MaxPool", "onnx.AveragePool"})
        for (unsigned seed = 1; seed <= 12; ++seed) {
            CAPTURE(seed);
            CAPTURE(op);
            std::mt19937 random(seed);
            const auto pick = picker(random);
            const std::int64_t kh = pick(2, 4), kw = pick(2, 4);
            const extents pads{pick(0, kh - 1), pick(0, kw - 1), pick(0, kh - 1), pick(0, kw - 1)};
            small_graph t;
            const node_id y = t.call(op, {t.input({pick(1, 7), 65, 60 + pick(0, 9), 70})},
                                     {{"kernel_shape", extents{kh, kw}},
                                      {"strides", extents{pick(1, 2), pick(1, 2)}},
                                      {"pads", pads},
                                      {"ceil_mode", pick(0, 1)}});
            CHECK(ways_in_slices(t.finish(t.call("onnx.Relu", {y})), "pool_in_slices") == 1);
        }
    small_graph t;
    CHECK(ways_in_slices(
              t.finish(t.call("onnx.MaxPool", {t.input({1, 16, 90, 80})}, {{"kernel_shape", extents{2, 2}}, {"dilations", extents{3, 2}}})),
              "pool_in_slices") == 1);
    small_graph u;
    CHECK(ways_in_slices(u.finish(u.call("onnx.GlobalAveragePool", {u.input({6, 64, 48, 48})})), "pool_in_slices") == 2);
}

TEST_CASE("work that is too little, or that no second thread may help with, is not offered in slices") {
    const auto conv = [] {
        small_graph t;
        return t.finish(t.call("onnx.Conv", {t.input({1, 8, 9, 9}), t.random({8, 8, 3, 3})}));
    };
    CHECK(ways_in_slices(conv(), "convolution_in_slices") == 0);
    small_graph t;
    CHECK(ways_in_slices(t.finish(t.call("onnx.MatMul", {t.input({5, 24}), t.random({24, 100})})), "fully_connected_in_slices") == 0);
    small_graph u;
    CHECK(ways_in_slices(u.finish(u.call("onnx.MaxPool", {u.input({1, 8, 9, 9})}, {{"kernel_shape", extents{3, 3}}})), "pool_in_slices") ==
          0);
    small_graph v;
    const ir_module large = v.finish(v.call("onnx.Conv", {v.input({1, 32, 40, 40}), v.random({32, 32, 3, 3})}));
    CHECK(ways_in_slices(large, "convolution_in_slices") == 1);
    const sized_match alone = largest_match(xnnpack(), large);
    CHECK(std::none_of(alone.ways.begin(), alone.ways.end(), [](const candidate& c) { return c.name.ends_with("_in_slices"); }));
}

TEST_CASE("threads of the library's own are those of composites that are not in slices") {
    xnnpack two;
    two.threads = 2;
    CHECK(two.wakes_own_threads("convolution"));
    CHECK_FALSE(two.wakes_own_threads("convolution_in_slices"));
    CHECK_FALSE(xnnpack().wakes_own_threads("convolution"));
}
