// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/function.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace xnnpack_test;

static_assert(pattern<decltype(detail::xnnpack_function::pattern_of_function())>);
static_assert(pattern<decltype(detail::xnnpack_function::pattern_of_hard_swish())>);

TEST_CASE("functions of one value agree with their definition, in both orders of images") {
    for (const char* op : {"onnx.Relu", "onnx.Sigmoid", "onnx.HardSwish", "onnx.LeakyRelu", "onnx.Elu", "onnx.Abs", "onnx.Neg", "onnx.Ceil",
                           "onnx.Floor", "onnx.Round", "onnx.Sqrt"}) {
        CAPTURE(op);
        const float low = std::string(op) == "onnx.Sqrt" ? 0.0f : -8.0f;
        small_graph t;
        const taken got = expect_taken(t.finish(t.call(op, {t.input({2, 5, 7, 3})})), 1, 2e-5, low, 8);
        CHECK(got.has("channels_last->channels_last"));
        CHECK(got.has("plain->plain"));
        small_graph u;
        CHECK(expect_taken(u.finish(u.call(op, {u.input({3, 19})})), 1, 2e-5, low, 8).ways.size() == 1);
        // Long enough for several threads to have a share.
        small_graph v;
        expect_taken(v.finish(v.call(op, {v.input({40001})})), 1, 2e-5, low, 8);
    }
    small_graph t;
    expect_taken(t.finish(t.call("onnx.Clip", {t.input({33}), t.scalar(-0.5f), t.absent()})), 1);
    for (const double alpha : {-0.5, 0.3, 1.5}) {
        small_graph u;
        expect_taken(u.finish(u.call("onnx.LeakyRelu", {u.input({33})}, {{"alpha", alpha}})), 1);
    }
    small_graph v;
    expect_taken(v.finish(v.call("onnx.Elu", {v.input({33})}, {{"alpha", 0.7}})), 1, 2e-5, -8, 1);
}

TEST_CASE("slopes per channel want the channels innermost") {
    small_graph t;
    const taken image = expect_taken(t.finish(t.call("onnx.PRelu", {t.input({2, 5, 7, 3}), t.random({5, 1, 1})})), 1);
    CHECK(image.has("channels_last->channels_last"));
    CHECK(image.ways.size() == 1);
    small_graph u;
    CHECK(expect_taken(u.finish(u.call("onnx.PRelu", {u.input({6, 5}), u.random({5})})), 1).has("plain->plain"));
    small_graph v;
    CHECK(expect_taken(v.finish(v.call("onnx.PRelu", {v.input({2, 5, 7, 3}), v.random({1})})), 1).ways.size() == 2);
    small_graph w;
    CHECK(why_not(w.finish(w.call("onnx.PRelu", {w.input({2, 5, 7, 3}), w.random({7, 1})}))).find("float32[7,1]") != std::string::npos);
}

TEST_CASE("hard swish is found in the spellings of exporters") {
    const auto spelled = [](auto&& spell, std::size_t nodes) {
        small_graph t;
        const node_id x = t.input({2, 5, 7, 3});
        const taken got = expect_taken(t.finish(spell(t, x)), nodes, 2e-5, -8, 8);
        CHECK(got.composite == "hard_swish");
        CHECK(got.ways.size() == 2);
    };
    const auto gate = [](small_graph& t, node_id x) {
        return t.call("onnx.Clip", {t.call("onnx.Add", {x, t.scalar(3)}), t.scalar(0), t.scalar(6)});
    };
    spelled(
        [](small_graph& t, node_id x) {
            return t.call("onnx.Mul", {x, t.call("onnx.HardSigmoid", {x}, {{"alpha", 1.0 / 6}, {"beta", 0.5}})});
        },
        2);
    spelled([&](small_graph& t, node_id x) { return t.call("onnx.Div", {t.call("onnx.Mul", {x, gate(t, x)}), t.scalar(6)}); }, 4);
    spelled([&](small_graph& t, node_id x) { return t.call("onnx.Mul", {t.call("onnx.Mul", {gate(t, x), x}), t.scalar(1.0f / 6)}); }, 4);
    spelled([&](small_graph& t, node_id x) { return t.call("onnx.Mul", {t.call("onnx.Div", {gate(t, x), t.scalar(6)}), x}); }, 4);
}

TEST_CASE("functions that are not taken say why, with the values found") {
    small_graph t;
    const node_id x = t.input({7});
    CHECK(why_not(t.finish(t.call("onnx.Mul", {x, t.call("onnx.HardSigmoid", {x})}))).find("hard swish") != std::string::npos);
    small_graph u;
    CHECK(why_not(u.finish(u.call("onnx.Elu", {u.input({7})}, {{"alpha", -1.0}}))).find("-1.0") != std::string::npos);
    small_graph v;
    CHECK(why_not(v.finish(v.call("onnx.Clip", {v.input({7}), v.scalar(1), v.scalar(0)}))).find("bounds of Clip") != std::string::npos);
}
