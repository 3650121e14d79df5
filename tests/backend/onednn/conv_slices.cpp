// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/conv_slices.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/onednn/backend.hpp>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;
using extents = std::vector<std::int64_t>;

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

TEST_CASE("transposed convolutions in slices agree with their definition, with what follows them") {
    struct form {
        extents x, w, strides, dilations, pads, extra;
    };
    const std::vector<form> forms{{{1, 16, 5, 6}, {16, 80, 4, 4}, {2, 2}, {1, 1}, {1, 1, 1, 1}, {0, 0}},
                                  {{1, 24, 5, 6}, {24, 100, 3, 3}, {2, 1}, {1, 1}, {1, 0, 1, 2}, {1, 0}},
                                  {{1, 16, 4, 3}, {16, 64, 3, 3}, {1, 1}, {2, 1}, {0, 1, 0, 0}, {0, 0}}};
    std::size_t asked = 0;
    for (const form& f : forms)
        for (const bool follows : {false, true}) {
            const std::int64_t outputs = f.w[1];
            CAPTURE(outputs);
            small_graph s;
            node_id y = s.call("onnx.ConvTranspose", {s.input(f.x), s.random(f.w), s.random({outputs})},
                               {{"strides", f.strides}, {"dilations", f.dilations}, {"pads", f.pads}, {"output_padding", f.extra}});
            if (follows) y = s.call("onnx.Relu", {s.normalized(y, outputs)});
            const ir_module g = s.finish(y);
            // Slices are of blocks of channels, in which oneDNN computes the second form with AVX-512 alone.
            if (detail::onednn_block() == 16 || has_blocked_way(g, "transposed_convolution")) {
                ++asked;
                CHECK(ways_in_slices(g, "transposed_convolution_in_slices") >= 1);
            }
            CHECK(ways_in_slices(g, "transposed_convolution_as_product_in_slices") == 0);
        }
    CHECK(asked >= 4);
}

TEST_CASE("patches of a transposed convolution are products in slices, images after images too") {
    for (const extents& kernel : {extents{2, 2}, extents{3, 2}, extents{1, 4}})
        for (const std::int64_t outputs : {7, 32, 72})
            for (const bool bias : {false, true}) {
                CAPTURE(outputs);
                small_graph s;
                const node_id x = s.input({2, 12, 3, 5}), w = s.random({12, outputs, kernel[0], kernel[1]});
                const attribute_map a{{"strides", kernel}};
                const node_id y =
                    bias ? s.call("onnx.ConvTranspose", {x, w, s.random({outputs})}, a) : s.call("onnx.ConvTranspose", {x, w}, a);
                const bool one = kernel[0] == 1 && outputs == 7;  // 28 columns of one row
                CHECK(ways_in_slices(s.finish(s.call("onnx.Sigmoid", {y})), "transposed_convolution_as_product_in_slices") ==
                      (one ? 0 : 1));
            }
}

TEST_CASE("transposed convolutions of several images or groups are not cut into channels") {
    for (const std::int64_t groups : {1, 2}) {
        small_graph s;
        const node_id y = s.call("onnx.ConvTranspose", {s.input({3 - groups, 16, 5, 6}), s.random({16, 64, 3, 3})}, {{"group", groups}});
        CHECK(ways_in_slices(s.finish(y), "transposed_convolution_in_slices") == 0);
    }
}
