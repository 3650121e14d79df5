// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/convolution.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

namespace {

/// Perhaps batch normalisation, a factor, another tensor and a function; how many nodes that is.
std::size_t follow(small_graph& t, node_id& y, std::int64_t channels, const extents& shape, picker& pick) {
    std::size_t nodes = 0;
    if (pick(0, 2) == 0) y = t.normalized(y, channels), ++nodes;
    const bool other = pick(0, 2) == 0;
    if (other) y = t.call("onnx.Add", {y, pick(0, 1) == 0 ? t.input(shape) : t.random(shape)}), ++nodes;
    switch (pick(0, 5)) {
        case 0:
            y = t.call("onnx.Relu", {y});
            return nodes + 1;
        case 1:
            y = t.call("onnx.Clip", {y, t.scalar(-0.5f), t.scalar(1.5f)});
            return nodes + 1;
        case 2: {
            // SiLU; the fill of a block stays zero.
            y = t.call("onnx.Mul", {y, t.call("onnx.Sigmoid", {y})});
            return nodes + 2;
        }
        case 3:
            y = t.call("onnx.Sigmoid", {y});
            return nodes + 1;
        case 4:
            if (other) return nodes;
            y = t.call("onnx.Add", {t.call("onnx.Relu", {y}), t.input(shape)});
            return nodes + 2;
        default:
            return nodes;
    }
}

void random_convolution(unsigned seed) {
    CAPTURE(seed);
    picker pick{std::mt19937(seed)};
    const std::size_t axes = pick(0, 5) == 0 ? 1 : pick(0, 7) == 0 ? 3 : 2;
    const std::int64_t form = pick(0, 4);
    const std::int64_t groups = form == 0 ? pick(2, 5) : form == 1 && axes < 3 ? pick(2, 40) : 1;
    const bool depthwise = form == 1 && axes < 3;
    const std::int64_t in = depthwise ? groups : groups * pick(1, groups > 1 ? 20 : 40);
    const std::int64_t out = depthwise ? groups : groups * pick(1, groups > 1 ? 20 : 70);
    extents x{pick(1, 2), in}, w{out, in / groups}, strides, dilations, pads(2 * axes), y{0, out};
    y[0] = x[0];
    for (std::size_t i = 0; i < axes; ++i) {
        const std::int64_t kernel = pick(1, 4), dilation = pick(0, 3) == 0 ? 2 : 1, stride = pick(0, 2) == 0 ? pick(2, 3) : 1;
        w.push_back(kernel);
        dilations.push_back(dilation);
        strides.push_back(stride);
        pads[i] = pick(0, 2);
        pads[i + axes] = pick(0, 2);
        const std::int64_t span = (kernel - 1) * dilation + 1;
        x.push_back(pick(std::max<std::int64_t>(span, 1), axes == 3 ? 8 : 19));
        y.push_back((x.back() + pads[i] + pads[i + axes] - span) / stride + 1);
    }
    small_graph t(seed);
    const node_id input = t.input(x);
    const attribute_map a{{"group", groups}, {"strides", strides}, {"dilations", dilations}, {"pads", pads}};
    node_id result =
        pick(0, 1) == 0 ? t.call("onnx.Conv", {input, t.random(w)}, a) : t.call("onnx.Conv", {input, t.random(w), t.random({out})}, a);
    const std::size_t nodes = 1 + follow(t, result, out, y, pick);
    const taken got = expect_taken(t.finish(result), nodes);
    if (axes == 2) CHECK(got.has(got.ways[0].formats));
}

std::string why_not_conv(const char* op, extents x, extents w, const attribute_map& a = {}) {
    small_graph t;
    return why_not(t.finish(t.call(op, {t.input(std::move(x)), t.random(std::move(w))}, a)));
}

}  // namespace

TEST_CASE("convolutions of random forms agree with their definition, whatever follows them") {
    for (unsigned seed = 1; seed <= 60; ++seed) random_convolution(seed);
}

TEST_CASE("3 x 3 convolutions as networks have them agree with their definition in every form") {
    for (const std::int64_t width : {7, 14, 17, 29})
        for (const std::int64_t channels : {16, 20, 48}) {
            CAPTURE(width);
            CAPTURE(channels);
            small_graph t;
            const node_id x = t.input({1, channels, 9, width});
            const node_id conv = t.call("onnx.Conv", {x, t.random({40, channels, 3, 3}), t.random({40})}, {{"pads", extents{1, 1, 1, 1}}});
            const taken got = expect_taken(t.finish(t.call("onnx.Relu", {conv})), 2, 1e-4);
            CHECK(got.count("convolution") == 2);
            CHECK(got.count("convolution_winograd") >= 1);
            CHECK((got.count("convolution_winograd_2x2") >= 1) == (width < 29));
        }
}

TEST_CASE("images of few channels are read row-major") {
    small_graph t;
    const node_id x = t.input({2, 3, 23, 31});
    const taken got = expect_taken(
        t.finish(t.call("onnx.Conv", {x, t.random({24, 3, 7, 7})}, {{"pads", extents{3, 3, 3, 3}}, {"strides", extents{2, 2}}})), 1);
    CHECK(got.ways.size() == 4);
    CHECK(got.has("plain->channels_last"));
}

TEST_CASE("transposed convolutions agree with their definition, phases that no input reaches included") {
    for (unsigned seed = 1; seed <= 30; ++seed) {
        CAPTURE(seed);
        picker pick{std::mt19937(seed)};
        const std::int64_t groups = pick(0, 2) == 0 ? pick(2, 4) : 1, in = groups * pick(1, 19), out = pick(1, 19);
        const extents strides{pick(1, 3), pick(1, 4)};
        small_graph t(seed);
        const node_id x = t.input({pick(1, 2), in, pick(3, 7), pick(3, 9)});
        attribute_map a{{"group", groups},
                        {"strides", strides},
                        {"output_padding", extents{pick(0, strides[0] - 1), pick(0, strides[1] - 1)}},
                        {"pads", extents{pick(0, 1), pick(0, 1), pick(0, 1), pick(0, 1)}}};
        if (pick(0, 2) == 0) a.set("dilations", extents{2, pick(1, 3)});
        node_id y = t.call("onnx.ConvTranspose", {x, t.random({in, out, pick(2, 4), pick(2, 4)}), t.random({groups * out})}, a);
        std::size_t nodes = 1;
        if (pick(0, 1) == 0) y = t.normalized(y, groups * out), ++nodes;
        if (pick(0, 1) == 0) y = t.call("onnx.Relu", {y}), ++nodes;
        CHECK(expect_taken(t.finish(y), nodes).composite == "transposed_convolution");
    }
}

TEST_CASE("what is no number, or infinite, reaches the windows that hold it alone, in direct and transposed convolutions") {
    for_each_special([](float special) {
        for (const std::int64_t channels : {3, 20}) {
            small_graph t;
            const node_id x = input_with(t, {1, channels, 9, 11}, special, 11 * 4 + 10);
            const node_id y = t.call("onnx.Conv", {x, t.random({20, channels, 5, 3}), t.random({20})}, {{"pads", extents{2, 1, 2, 1}}});
            expect_taken(t.finish(t.call("onnx.Relu", {y})), 2);
            small_graph u;
            const node_id z = input_with(u, {1, channels, 5, 6}, special, 6 * 2 + 5);
            const attribute_map a{{"strides", extents{2, 3}}, {"pads", extents{1, 1, 1, 1}}};
            expect_taken(u.finish(u.call("onnx.ConvTranspose", {z, u.random({channels, 9, 4, 2}), u.random({9})}, a)), 1);
        }
    });
}

TEST_CASE("windows that reach beyond the input on one side, move further than it or lie beside it read what is theirs") {
    struct one_axis {
        std::int64_t extent, kernel, stride, dilation, before, after;
    };
    for (const one_axis& a :
         {one_axis{5, 3, 7, 1, 0, 0}, one_axis{5, 3, 7, 1, 2, 6}, one_axis{1, 1, 4, 1, 0, 0}, one_axis{1, 3, 1, 1, 1, 1},
          one_axis{1, 4, 1, 1, 0, 3}, one_axis{1, 4, 1, 1, 3, 0}, one_axis{2, 5, 2, 1, 4, 0}, one_axis{2, 5, 3, 1, 0, 7},
          one_axis{3, 3, 1, 3, 4, 0}, one_axis{3, 3, 5, 4, 0, 9}, one_axis{4, 2, 1, 1, 6, 0}, one_axis{4, 2, 3, 1, 0, 8}})
        for (const bool is_row : {false, true})
            for (const std::int64_t groups : {1, 18}) {
                CAPTURE(a.extent);
                CAPTURE(a.kernel);
                CAPTURE(a.before);
                CAPTURE(is_row);
                CAPTURE(groups);
                const auto both = [&](std::int64_t here, std::int64_t there) {
                    return is_row ? extents{there, here} : extents{here, there};
                };
                small_graph t;
                extents x = both(a.extent, 6), w = both(a.kernel, 3), pads = both(a.before, 1);
                x.insert(x.begin(), {2, 18});
                w.insert(w.begin(), {18, 18 / groups});
                for (const std::int64_t after : both(a.after, 1)) pads.push_back(after);
                const node_id y =
                    t.call("onnx.Conv", {t.input(x), t.random(w), t.random({18})},
                           {{"group", groups}, {"strides", both(a.stride, 1)}, {"dilations", both(a.dilation, 1)}, {"pads", pads}});
                expect_taken(t.finish(t.call("onnx.Relu", {y})), 2);
            }
    small_graph one;
    const node_id y = one.call("onnx.ConvTranspose", {one.input({1, 3, 1, 1}), one.random({3, 5, 2, 1})}, {{"strides", extents{5, 4}}});
    expect_taken(one.finish(y), 1);
}

TEST_CASE("a convolution that is not taken says why, with the values found") {
    CHECK(why_not_conv("onnx.Conv", {0, 4, 9, 9}, {4, 4, 3, 3}).find("no elements") != std::string::npos);
    small_graph t;
    CHECK(why_not(t.finish(t.call("onnx.Conv", {t.input({1, 4, 9, 9}), t.input({4, 4, 3, 3})}))).find("float32[4,4,3,3]") !=
          std::string::npos);
    CHECK(why_not_conv("onnx.Conv", {1, 4, 9, 9, 9}, {4, 1, 3, 3, 3}, {{"group", std::int64_t{4}}}).find("three axes") !=
          std::string::npos);
}
