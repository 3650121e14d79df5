// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/expand_depthwise.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

namespace {

struct half {
    std::int64_t batch = 1, in = 8, wide = 16, height = 7, width = 7, kernel = 3, stride = 1, dilation = 1;
};

/// What stands behind a convolution: batch normalisation or none, and an activation or none; `nodes` are counted up.
node_id tail(small_graph& t, node_id y, std::int64_t channels, picker& pick, std::size_t& nodes) {
    if (pick(0, 2) == 0) y = t.normalized(y, channels), ++nodes;
    switch (pick(0, 5)) {
        case 0:
            return ++nodes, t.call("onnx.Relu", {y});
        case 1:
            return ++nodes, t.call("onnx.Clip", {y, t.scalar(0), t.scalar(6)});
        case 2:
            return nodes += 2, t.call("onnx.Mul", {y, t.call("onnx.Sigmoid", {y})});
        case 3:
            return ++nodes, t.call("onnx.HardSwish", {y});
        case 4:
            // A number for each channel behind a function is a step of its own.
            return nodes += 2, t.call("onnx.Mul", {t.random({channels, 1, 1}), t.call("onnx.HardSwish", {y})});
        default:
            return y;
    }
}

node_id pointwise(small_graph& t, const half& s) {
    return t.call("onnx.Conv", {t.input({s.batch, s.in, s.height, s.width}), t.random({s.wide, s.in, 1, 1}), t.random({s.wide})});
}
node_id depthwise(small_graph& t, node_id x, const half& s) {
    const std::int64_t pad = s.kernel / 2 * s.dilation;
    return t.call("onnx.Conv", {x, t.random({s.wide, 1, s.kernel, s.kernel}), t.random({s.wide})},
                  {{"group", s.wide},
                   {"pads", extents{pad, pad, pad, pad}},
                   {"strides", extents{s.stride, s.stride}},
                   {"dilations", extents{s.dilation, s.dilation}}});
}

void expect_both(const half& s, unsigned seed) {
    picker pick{std::mt19937(seed)};
    small_graph t(seed);
    std::size_t nodes = 2;
    node_id y = tail(t, pointwise(t, s), s.wide, pick, nodes);
    y = tail(t, depthwise(t, y, s), s.wide, pick, nodes);
    const taken got = expect_taken(t.finish(y), nodes, 4e-5);
    CHECK(got.composite == "expand_depthwise");
    CHECK(got.ways.size() == 2);
}

}  // namespace

TEST_CASE("expansions and windows of random forms agree with their definition, whatever stands behind them") {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        picker pick{std::mt19937(seed + 1000)};
        half s;
        s.batch = pick(1, 3);
        s.in = pick(1, 40);
        s.wide = pick(2, 150);
        s.kernel = 2 * pick(0, 2) + 1;
        s.stride = pick(0, 2) == 0 ? pick(2, 3) : 1;
        s.dilation = pick(0, 3) == 0 ? 2 : 1;
        s.height = pick(1, 19);
        s.width = pick(1, 30);
        expect_both(s, seed);
    }
}

TEST_CASE("large images go in several strips, some of whose rows the next one reads too") {
    expect_both({1, 20, 100, 45, 50, 3, 1}, 1);
    expect_both({2, 12, 72, 61, 47, 5, 1}, 2);
    expect_both({1, 12, 70, 99, 90, 5, 2}, 3);
    expect_both({1, 12, 20, 130, 125, 1, 3}, 4);
    expect_both({1, 12, 36, 60, 47, 3, 1, 3}, 5);
}

TEST_CASE("a strip holds what is near, and few rows are expanded twice") {
    simd::window_shape s;
    s.outputs = 96;
    s.kernel = {1, 3, 3};
    s.before = {0, 1, 1};
    s.x = s.y = {1, 112, 112};
    simd::expand_depthwise k;
    k.plan(s, 32, 1);
    CHECK(k.task_rows == 112);
    CHECK(k.rows > 1);
    CHECK(simd::expand_depthwise::rows_spanned(s, k.rows) * 32 * 112 * 4 <= 256 << 10);
    k.plan(s, 32, 2);
    CHECK(k.task_rows == 56);
    k.images = 2;
    k.plan(s, 32, 2);
    CHECK(k.task_rows == 112);
    s.x = s.y = {1, 7, 7};
    k.plan(s, 32, 1);
    CHECK(k.rows == 7);
}

TEST_CASE("other convolutions and tensors that are taken in are left to others, with the reason") {
    const half s;
    SUBCASE("another tensor behind the windows") {
        small_graph t;
        const node_id y = depthwise(t, pointwise(t, s), s);
        CHECK(why_not(t.finish(t.call("onnx.Add", {y, t.random({1, 16, 7, 7})}))).find("takes another tensor of type float32[1,16,7,7]") !=
              std::string::npos);
    }
    SUBCASE("an expansion that moves by 2") {
        small_graph t;
        const node_id y = t.call("onnx.Conv", {t.input({1, 8, 7, 7}), t.random({16, 8, 1, 1})}, {{"strides", extents{2, 2}}});
        CHECK(why_not(t.finish(depthwise(t, y, s))).find("is not 1 x 1 of stride 1") != std::string::npos);
    }
}
