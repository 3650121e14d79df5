// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/bottleneck.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/core/buffer.hpp>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

namespace {

/// What stands behind an inner convolution; `nodes` are counted up.
node_id inner_tail(small_graph& t, node_id y, std::int64_t channels, picker& pick, std::size_t& nodes) {
    if (pick(0, 2) == 0) y = t.normalized(y, channels), ++nodes;
    if (pick(0, 4) == 0) y = t.call("onnx.Mul", {t.random({channels, 1, 1}), y}), ++nodes;
    switch (pick(0, 4)) {
        case 0:
            return ++nodes, t.call("onnx.Relu", {y});
        case 1:
            return ++nodes, t.call("onnx.Clip", {y, t.scalar(0), t.scalar(6)});
        case 2:
            return nodes += 2, t.call("onnx.Mul", {y, t.call("onnx.Sigmoid", {y})});
        case 3: {
            // A number for each channel behind a function is a step of its own.
            nodes += 2;
            return t.call("onnx.Add", {t.call("onnx.HardSwish", {y}), t.random({1, channels, 1, 1})});
        }
        default:
            return y;
    }
}

struct block {
    std::int64_t batch = 1, in = 8, wide = 16, out = 8, height = 7, width = 7, kernel = 3, stride = 1, dilation = 1;
    bool expands = true;
};

node_id pointwise(small_graph& t, node_id x, std::int64_t in, std::int64_t out) {
    return t.call("onnx.Conv", {x, t.random({out, in, 1, 1}), t.random({out})});
}
node_id depthwise(small_graph& t, node_id x, const block& b) {
    const std::int64_t pad = b.kernel / 2 * b.dilation;
    return t.call("onnx.Conv", {x, t.random({b.wide, 1, b.kernel, b.kernel}), t.random({b.wide})},
                  {{"group", b.wide},
                   {"pads", extents{pad, pad, pad, pad}},
                   {"strides", extents{b.stride, b.stride}},
                   {"dilations", extents{b.dilation, b.dilation}}});
}
/// Convolutions with functions between them, and the input added where it fits.
node_id plain_block(small_graph& t, node_id x, const block& b) {
    node_id y = b.expands ? t.call("onnx.Relu", {pointwise(t, x, b.in, b.wide)}) : x;
    y = pointwise(t, t.call("onnx.Relu", {depthwise(t, y, b)}), b.wide, b.out);
    return b.in == b.out && b.stride == 1 ? t.call("onnx.Add", {y, x}) : y;
}

void random_block(unsigned seed) {
    CAPTURE(seed);
    picker pick{std::mt19937(seed)};
    block b;
    b.expands = pick(0, 2) != 0;
    b.batch = pick(1, 3);
    b.in = pick(1, 40);
    b.wide = b.expands ? pick(2, 90) : b.in = std::max<std::int64_t>(b.in, 2);
    b.out = pick(0, 1) == 0 ? b.in : pick(1, 40);
    b.kernel = 2 * pick(0, 2) + 1;
    b.stride = pick(0, 2) == 0 ? pick(2, 3) : 1;
    b.dilation = pick(0, 3) == 0 ? 2 : 1;
    b.height = pick(1, 19);
    b.width = pick(1, 30);
    small_graph t(seed);
    const node_id x = t.input({b.batch, b.in, b.height, b.width});
    std::size_t nodes = 2;
    node_id y = x;
    if (b.expands) ++nodes, y = inner_tail(t, pointwise(t, y, b.in, b.wide), b.wide, pick, nodes);
    y = inner_tail(t, depthwise(t, y, b), b.wide, pick, nodes);
    y = pointwise(t, y, b.wide, b.out);
    if (pick(0, 1) == 0) y = t.normalized(y, b.out), ++nodes;
    const extents result{b.batch, b.out, (b.height - 1) / b.stride + 1, (b.width - 1) / b.stride + 1};
    switch (pick(0, 3)) {
        case 0:
            y = t.call("onnx.Add", {y, b.in == b.out && b.stride == 1 ? x : t.input(result)}), ++nodes;
            break;
        case 1:
            y = t.call("onnx.Relu", {t.call("onnx.Add", {t.random(result), y})}), nodes += 2;
            break;
        default:
            break;
    }
    const taken got = expect_taken(t.finish(y), nodes, 4e-5);
    CHECK(got.composite == "bottleneck");
    CHECK(got.ways.size() == 2);
}

/// How each way of the widest instruction set names itself.
std::string form_of(const block& b) {
    small_graph t;
    const node_id x = t.input({b.batch, b.in, b.height, b.width});
    const std::size_t nodes = (b.expands ? 5u : 3u) + (b.in == b.out && b.stride == 1 ? 1 : 0);
    const taken got = expect_taken(t.finish(plain_block(t, x, b)), nodes, 4e-5);
    CHECK(got.composite == "bottleneck");
    const std::string& note = got.ways.at(0).note;
    return note.substr(note.find("by "));
}

}  // namespace

TEST_CASE("bottlenecks of random forms agree with their definition, whatever stands between their convolutions") {
    for (unsigned seed = 1; seed <= 60; ++seed) random_block(seed);
}

TEST_CASE("large images go by rows, some of which the next strip reads too; small ones by channels") {
    // Several strips in a task, with ragged channels, a wide window, a stride, and a window that skips rows.
    CHECK(form_of({1, 20, 100, 20, 45, 50, 3, 1}) == "by rows");
    CHECK(form_of({2, 12, 72, 24, 41, 47, 5, 1}) == "by rows");
    CHECK(form_of({1, 12, 72, 20, 99, 90, 5, 2}) == "by rows");
    CHECK(form_of({1, 12, 72, 20, 130, 125, 1, 3}) == "by rows");
    CHECK(form_of({1, 12, 72, 20, 60, 47, 3, 1, 3}) == "by rows");
    CHECK(form_of({1, 72, 72, 24, 50, 47, 3, 1, 1, false}) == "by rows");
    CHECK(form_of({9, 32, 70, 20, 14, 14, 3, 1}) == "by channels");
    CHECK(form_of({2, 40, 40, 40, 14, 14, 5, 1, 1, false}) == "by channels");
}

TEST_CASE("a strip holds what is near, a task no less than a strip, and few rows are expanded twice") {
    simd::window_shape s;
    s.kernel = {1, 3, 3};
    s.before = {0, 1, 1};
    s.x = s.y = {1, 56, 56};
    simd::bottleneck k;
    k.plan(s, 144, true, 1);
    CHECK_FALSE(k.by_channels);
    CHECK(k.task_rows == 56);
    CHECK(k.rows > 1);
    CHECK((simd::bottleneck::rows_spanned(s, k.rows) + k.rows) * 144 * 56 * 4 <= 384 << 10);
    k.plan(s, 144, true, 2);
    CHECK(k.task_rows == 14);
    k.plan(s, 144, true, 4);
    CHECK(k.task_rows == 14);
    k.plan(s, 144, false, 4);
    CHECK(k.task_rows == 7);
    s.x = s.y = {1, 7, 7};
    k.images = 30;
    k.plan(s, 960, true, 2);
    CHECK(k.by_channels);
    CHECK(k.together == 2);
}

TEST_CASE("what is no number reaches every place whose window reads it, and no other") {
    for (const std::string& isa : instruction_sets())
        for (const std::int64_t size : {9, 60}) {
            CAPTURE(isa);
            CAPTURE(size);
            block b{1, 8, 48, 8, size, size};
            b.wide = size == 9 ? 16 : 48;
            small_graph t;
            const ir_module g = t.finish(plain_block(t, t.input({1, 8, size, size}), b));
            cpu_simd self;
            self.isa = isa;
            const sized_match found = largest_match(self, g);
            REQUIRE(found.ways.size() == 2);
            const candidate& c = found.ways[1];
            REQUIRE(c.formats.results[0].order == layout::channels_last());
            const auto k = emit_composite(self, {c.composite, &c.match->plan, c.view()});
            REQUIRE(k.has_value());
            const auto row = static_cast<std::size_t>(size) * 8;
            std::vector<float> x(row * static_cast<std::size_t>(size), 0.5f), y(x.size());
            x[4 * row + 5 * 8 + 3] = std::numeric_limits<float>::quiet_NaN();
            buffer workspace(k->workspace_bytes);
            const void* in[] = {x.data()};
            void* out[] = {y.data()};
            run_arguments a;
            a.inputs = in;
            a.results = out;
            a.workspace = workspace.data();
            REQUIRE((*k)(a));
            for (std::size_t i = 0; i < y.size(); ++i) {
                const std::size_t h = i / row, w = i % row / 8;
                CHECK(std::isnan(y[i]) == (h >= 3 && h <= 5 && w >= 4 && w <= 6));
            }
        }
}

TEST_CASE("what is no bottleneck of ours is left to others, with the reason") {
    const block b;
    SUBCASE("a tensor taken in before the last convolution") {
        small_graph t;
        const node_id y = t.call("onnx.Add", {depthwise(t, pointwise(t, t.input({1, 8, 7, 7}), 8, 16), b), t.random({1, 16, 7, 7})});
        CHECK(why_not(t.finish(pointwise(t, y, 16, 8))).find("takes another tensor of type float32[1,16,7,7]") != std::string::npos);
    }
    SUBCASE("a last convolution with a window") {
        small_graph t;
        const node_id y = depthwise(t, pointwise(t, t.input({1, 8, 7, 7}), 8, 16), b);
        CHECK(why_not(t.finish(t.call("onnx.Conv", {y, t.random({8, 16, 3, 3})}))).find("is not 1 x 1 of stride 1") != std::string::npos);
    }
}
