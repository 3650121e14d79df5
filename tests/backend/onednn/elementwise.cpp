// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/elementwise.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;
using list = std::vector<std::int64_t>;

static_assert(pattern<decltype(detail::onednn_elementwise::pattern_of_functions())>);
static_assert(pattern<decltype(detail::onednn_elementwise::pattern_of_operations())>);

namespace {
const std::string blocked = "channels_blocked" + std::to_string(detail::onednn_block());
}

TEST_CASE("functions of one tensor run in every layout, also where channels do not fill a block") {
    for (const char* op : {"onnx.Relu", "onnx.LeakyRelu", "onnx.Sigmoid", "onnx.Tanh", "onnx.Elu", "onnx.HardSwish", "onnx.HardSigmoid",
                           "onnx.Gelu", "onnx.Softplus", "onnx.Mish", "onnx.Abs", "onnx.Exp", "onnx.Neg"})
        for (const std::int64_t channels : {20, 32}) {
            CAPTURE(std::string(op));
            small_graph s;
            const taken t = expect_taken(s.finish(s.call(op, {s.input({2, channels, 3, 5})})), 1);
            CHECK(t.composite == "function");
            CHECK(t.has("plain->plain"));
            CHECK(t.has("channels_last->channels_last"));
            if (channels == 32) CHECK(t.has(blocked + "->" + blocked));
        }
    for (const char* op : {"onnx.Sqrt", "onnx.Log", "onnx.Reciprocal"}) {
        small_graph s;
        expect_taken(s.finish(s.call(op, {s.input({37})})), 1, {}, 2e-5, 0.5f, 4);
    }
}

TEST_CASE("functions with numbers are read on either side") {
    for (const char* op : {"onnx.Add", "onnx.Sub", "onnx.Mul", "onnx.Div", "onnx.Max", "onnx.Min"})
        for (const bool left : {false, true}) {
            CAPTURE(std::string(op));
            CAPTURE(left);
            small_graph s;
            const node_id x = s.input({3, 7});
            expect_taken(s.finish(left ? s.call(op, {s.scalar(1.5f), x}) : s.call(op, {x, s.scalar(1.5f)})), 1, {}, 2e-5, 0.5f, 4);
        }
    small_graph s;
    expect_taken(s.finish(s.call("onnx.Pow", {s.input({3, 7}), s.scalar(1.5f)})), 1, {}, 2e-5, 0.5f, 4);
    small_graph u;
    const node_id x = u.input({3, 7});
    expect_taken(u.finish(u.call("onnx.Mul", {x, x})), 1);
}

TEST_CASE("swish, hard swish and mish in several nodes are one function") {
    small_graph s;
    const node_id x = s.input({2, 20, 3, 5});
    expect_taken(s.finish(s.call("onnx.Mul", {s.call("onnx.Sigmoid", {x}), x})), 2);
    small_graph h;
    const node_id a = h.input({2, 20, 3, 5});
    expect_taken(h.finish(h.call("onnx.Mul", {a, h.call("onnx.HardSigmoid", {a}, {{"alpha", 1.0 / 6}, {"beta", 0.5}})})), 2);
    for (int form = 0; form < 4; ++form) {
        CAPTURE(form);
        small_graph u;
        const node_id b = u.input({2, 20, 3, 5});
        const node_id gate = u.call("onnx.Clip", {u.call("onnx.Add", {b, u.scalar(3)}), u.scalar(0), u.scalar(6)});
        node_id y = 0;
        if (form == 0) y = u.call("onnx.Div", {u.call("onnx.Mul", {b, gate}), u.scalar(6)});
        if (form == 1) y = u.call("onnx.Mul", {b, u.call("onnx.Div", {gate, u.scalar(6)})});
        if (form == 2) y = u.call("onnx.Mul", {u.call("onnx.Mul", {gate, b}), u.scalar(1.0f / 6)});
        if (form == 3) y = u.call("onnx.Mul", {u.call("onnx.Mul", {u.scalar(1.0f / 6), b}), gate});
        expect_taken(u.finish(y), 4, {}, 2e-5, -5, 5);
    }
    small_graph m;
    const node_id c = m.input({5, 9});
    expect_taken(m.finish(m.call("onnx.Mul", {c, m.call("onnx.Tanh", {m.call("onnx.Softplus", {c})})})), 3);
}

TEST_CASE("a gate with other numbers is not taken for the function it resembles") {
    small_graph u;
    const node_id b = u.input({2, 20, 3, 5});
    const node_id gate = u.call("onnx.Clip", {u.call("onnx.Add", {b, u.scalar(2)}), u.scalar(0), u.scalar(6)});
    const taken t = take({}, u.finish(u.call("onnx.Div", {u.call("onnx.Mul", {b, gate}), u.scalar(6)})), 2e-5, -5, 5);
    CHECK(t.composite == "operation");
    CHECK(t.nodes == 2);
}

TEST_CASE("operations of two tensors run in every layout, a function after them included") {
    for (const char* op : {"onnx.Add", "onnx.Sum", "onnx.Mul", "onnx.Sub", "onnx.Div", "onnx.Max", "onnx.Min"})
        for (const std::int64_t channels : {20, 32}) {
            CAPTURE(std::string(op));
            small_graph s;
            const node_id y = s.call(op, {s.input({2, channels, 3, 5}), s.input({2, channels, 3, 5})});
            const taken t = expect_taken(s.finish(s.call("onnx.Relu", {y})), 2, {}, 2e-5, 0.5f, 3);
            CHECK(t.composite == "operation");
            CHECK(t.has("channels_last,channels_last->channels_last"));
            // A quotient makes the zeros that fill a block no zeros.
            if (op != std::string("onnx.Div") || channels == 32) CHECK(t.has(blocked + "," + blocked + "->" + blocked));
        }
}

TEST_CASE("a factor per channel is stretched over places, from either side, constant or not") {
    for (const bool left : {false, true})
        for (const bool constant : {false, true}) {
            CAPTURE(left);
            CAPTURE(constant);
            small_graph s;
            const node_id x = s.input({1, 32, 3, 5}), f = constant ? s.random({1, 32, 1, 1}) : s.input({1, 32, 1, 1});
            const taken t = expect_taken(s.finish(left ? s.call("onnx.Mul", {f, x}) : s.call("onnx.Mul", {x, f})), 1);
            CHECK(t.ways.size() >= 2);
        }
    small_graph s;
    expect_taken(s.finish(s.call("onnx.Add", {s.call("onnx.Mul", {s.input({1, 32, 3, 5}), s.random({32, 1, 1})}), s.random({32, 1, 1})})),
                 2);
}

TEST_CASE("rows, columns and masks are stretched where the library can") {
    const std::vector<std::pair<list, list>> shapes{{{2, 5, 24}, {24}}, {{2, 3, 5, 7}, {2, 1, 1, 7}}, {{4, 6}, {4, 1}}, {{7}, {3, 7}},
                                                    {{3, 1}, {1, 4}},   {{2, 3, 4, 5}, {3, 1, 1}}};
    for (const auto& [a, b] : shapes) {
        small_graph s;
        const taken t = take({}, s.finish(s.call("onnx.Add", {s.input(a), s.input(b)})));
        CHECK(t.refusal.empty());
    }
    small_graph s;
    expect_taken(s.finish(s.call("onnx.Add", {s.input({2, 5, 24}), s.random({24})})), 1);
    small_graph u;
    const node_id x = u.input({6, 5});
    expect_taken(u.finish(u.call("onnx.Sub", {u.random({6, 5}), x})), 1);
}

TEST_CASE("three tensors are summed") {
    small_graph s;
    expect_taken(s.finish(s.call("onnx.Sum", {s.input({2, 32, 4}), s.input({2, 32, 4}), s.input({2, 32, 4})})), 1);
}

TEST_CASE("two functions of one kind behind an operation keep their own parameters") {
    small_graph s;
    const node_id product = s.call("onnx.Mul", {s.input({1, 8, 3, 7}), s.input({1, 8, 1, 1})});
    expect_taken(s.finish(s.call("onnx.Neg", {s.call("onnx.Mul", {product, s.constant(tensor::scalar(2.0f))})})), 3);
}
