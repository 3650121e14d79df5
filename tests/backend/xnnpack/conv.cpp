// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/conv.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace xnnpack_test;

static_assert(pattern<decltype(detail::xnnpack_conv::pattern_of_conv())>);
static_assert(pattern<decltype(detail::xnnpack_conv::pattern_of_transposed())>);

namespace {

std::string why_not_conv(const char* op, extents x, extents w, const attribute_map& a = {}) {
    small_graph t;
    return why_not(t.finish(t.call(op, {t.input(std::move(x)), t.random(std::move(w))}, a)));
}

}  // namespace

TEST_CASE("convolutions of random forms agree with their definition") {
    for (unsigned seed = 1; seed <= 24; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        const std::int64_t groups = pick(0, 2) == 0 ? pick(2, 9) : 1;
        const std::int64_t in = groups * pick(1, groups > 1 ? 3 : 19), out = groups * pick(1, groups > 1 ? 3 : 19);
        const std::int64_t kh = pick(1, 4), kw = pick(1, 4), dh = pick(1, 2), dw = pick(1, 2);
        small_graph t(seed);
        const node_id x = t.input({pick(1, 2), in, pick(8, 13), pick(8, 13)});
        const attribute_map a{{"group", groups},
                              {"strides", extents{pick(1, 3), pick(1, 3)}},
                              {"dilations", extents{dh, dw}},
                              {"pads", extents{pick(0, 2), pick(0, 2), pick(0, 2), pick(0, 2)}}};
        const node_id w = t.random({out, in / groups, kh, kw});
        node_id y = pick(0, 1) == 0 ? t.call("onnx.Conv", {x, w}, a) : t.call("onnx.Conv", {x, w, t.random({out})}, a);
        std::size_t nodes = 1;
        if (pick(0, 1) == 0) y = t.normalized(y, out), ++nodes;
        if (pick(0, 3) == 0) y = t.call("onnx.Mul", {y, t.random({out, 1, 1})}), ++nodes;
        if (pick(0, 3) == 0) y = t.call("onnx.Add", {t.random({1, out, 1, 1}), y}), ++nodes;
        const std::int64_t last = pick(0, 2);
        if (last == 1) y = t.call("onnx.Relu", {y}), ++nodes;
        if (last == 2) y = t.call("onnx.Clip", {y, t.scalar(-0.5f), t.scalar(1.5f)}), ++nodes;
        const taken got = expect_taken(t.finish(y), nodes);
        CHECK(got.has("channels_last->channels_last"));
        CHECK(got.ways.size() == 1);
        CHECK(got.composite == "convolution");
    }
}

TEST_CASE("depthwise convolutions agree with their definition, odd channels and several filters each included") {
    for (const std::int64_t channels : {3, 16, 37})
        for (const std::int64_t kernel : {1, 3, 5})
            for (const std::int64_t filters : {1, 2}) {
                small_graph t;
                const node_id x = t.input({2, channels, 9, 7});
                const node_id y = t.call("onnx.Conv", {x, t.random({channels * filters, 1, kernel, kernel})},
                                         {{"group", channels}, {"strides", extents{2, 1}}, {"auto_pad", std::string("SAME_UPPER")}});
                expect_taken(t.finish(t.call("onnx.Clip", {y, t.scalar(0), t.scalar(6)})), 2);
            }
}

TEST_CASE("one-sided ranges and automatic pads are taken") {
    small_graph t;
    const node_id y = t.call("onnx.Conv", {t.input({1, 5, 8, 8}), t.random({7, 5, 2, 2})}, {{"auto_pad", std::string("SAME_LOWER")}});
    expect_taken(t.finish(t.call("onnx.Clip", {y, t.absent(), t.scalar(0.5f)})), 2);
}

TEST_CASE("transposed convolutions agree with their definition") {
    for (unsigned seed = 1; seed <= 16; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        const std::int64_t groups = pick(0, 2) == 0 ? pick(2, 4) : 1, in = groups * pick(1, 9), out = pick(1, 9);
        const extents strides{pick(1, 3), pick(1, 3)};
        small_graph t(seed);
        const node_id x = t.input({pick(1, 2), in, pick(3, 7), pick(3, 7)});
        attribute_map a{{"group", groups},
                        {"strides", strides},
                        {"output_padding", extents{pick(0, strides[0] - 1), pick(0, strides[1] - 1)}},
                        {"pads", extents{pick(0, 1), pick(0, 1), pick(0, 1), pick(0, 1)}}};
        if (pick(0, 2) == 0) a.set("dilations", extents{2, 1});
        node_id y = t.call("onnx.ConvTranspose", {x, t.random({in, out, pick(2, 4), pick(2, 4)}), t.random({groups * out})}, a);
        std::size_t nodes = 1;
        if (pick(0, 1) == 0) y = t.normalized(y, groups * out), ++nodes;
        if (pick(0, 1) == 0) y = t.call("onnx.Relu", {y}), ++nodes;
        CHECK(expect_taken(t.finish(y), nodes).composite == "transposed_convolution");
    }
}

TEST_CASE("batch normalisation without a convolution before it is taken, too") {
    for (const std::int64_t channels : {1, 5, 32}) {
        small_graph t;
        const node_id y = t.call("onnx.Relu", {t.normalized(t.input({2, channels, 6, 5}), channels)});
        CHECK(expect_taken(t.finish(y), 2).composite == "batch_norm");
    }
}

TEST_CASE("a convolution that is not taken says why, with the values found") {
    CHECK(why_not_conv("onnx.Conv", {1, 4, 9}, {4, 4, 3}).find("rank 3") != std::string::npos);
    CHECK(why_not_conv("onnx.ConvTranspose", {1, 4, 5, 5, 5}, {4, 4, 3, 3, 3}).find("rank 5") != std::string::npos);
    small_graph t;
    CHECK(why_not(t.finish(t.call("onnx.Conv", {t.input({1, 4, 9, 9}), t.input({4, 4, 3, 3})}))).find("float32[4,4,3,3]") !=
          std::string::npos);
    small_graph u;
    const node_id conv = u.call("onnx.Conv", {u.input({1, 4, 9, 9}), u.random({4, 4, 3, 3})});
    CHECK(why_not(u.finish(u.call("onnx.Clip", {conv, u.scalar(2), u.scalar(2)}))).find("2.0") != std::string::npos);
    small_graph v;
    const node_id three = v.call("onnx.Conv", {v.input({1, 4, 9, 9}), v.random({7, 4, 3, 3})});
    CHECK(why_not(v.finish(v.call("onnx.Add", {three, v.random({7})}))).find("float32[7]") != std::string::npos);
    small_graph w;
    const node_id more = w.call("onnx.ConvTranspose", {w.input({1, 4, 5, 5}), w.random({4, 4, 3, 3})},
                                {{"strides", extents{2, 2}}, {"output_shape", extents{12, 13}}});
    CHECK_FALSE(why_not(w.finish(more)).empty());
}
