// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/depthwise_convolution.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

TEST_CASE("depthwise convolutions agree with their definition, rows shorter than the window and odd channels included") {
    for (const std::int64_t channels : {3, 16, 37})
        for (const std::int64_t kernel : {1, 3, 5})
            for (const std::int64_t width : {2, 7, 40}) {
                CAPTURE(channels);
                CAPTURE(kernel);
                CAPTURE(width);
                small_graph t;
                const node_id x = t.input({2, channels, 6, width});
                const extents pads(4, kernel / 2);
                node_id y = t.call("onnx.Conv", {x, t.random({channels, 1, kernel, kernel}), t.random({channels})},
                                   {{"group", channels}, {"strides", extents{1, 1}}, {"pads", pads}});
                y = t.call("onnx.Add", {y, x});
                expect_taken(t.finish(t.call("onnx.HardSwish", {y})), 3);
            }
}

TEST_CASE("what is no number, or infinite, reaches the windows of its own channel that hold it and nothing else") {
    for_each_special([](float special) {
        for (const std::int64_t kernel : {3, 4, 5})
            for (const std::int64_t stride : {1, 2}) {
                CAPTURE(kernel);
                CAPTURE(stride);
                small_graph t;
                const node_id x = input_with(t, {1, 19, 6, 23}, special, (17 * 6 + 3) * 23 + 9);
                const node_id y = t.call("onnx.Conv", {x, t.random({19, 1, kernel, kernel})},
                                         {{"group", std::int64_t{19}}, {"strides", extents{1, stride}}, {"pads", extents{2, 2, 2, 2}}});
                expect_taken(t.finish(t.call("onnx.Relu", {y})), 2);
            }
    });
}

TEST_CASE("windows that move by more than one place, that have gaps, or whose row ends anywhere, read what is theirs") {
    for (const std::int64_t kernel : {3, 5})
        for (const std::int64_t stride : {1, 2, 3})
            for (std::int64_t width = 1; width < 64; width += width < 20 ? 1 : 11) {
                CAPTURE(kernel);
                CAPTURE(stride);
                CAPTURE(width);
                small_graph t;
                const node_id x = t.input({1, 21, 7, width});
                const std::int64_t gap = width % 5 == 0 ? 2 : 1, pad = kernel / 2 * gap;
                const node_id y = t.call("onnx.Conv", {x, t.random({21, 1, kernel, kernel})},
                                         {{"group", std::int64_t{21}},
                                          {"strides", extents{2, stride}},
                                          {"dilations", extents{1, gap}},
                                          {"pads", extents{1, pad, kernel, pad}}});
                expect_taken(t.finish(t.call("onnx.Relu", {y})), 2);
            }
}
