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
