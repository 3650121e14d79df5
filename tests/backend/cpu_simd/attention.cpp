// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/attention.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

namespace {

/// Softmax of scores, and the product with values.
node_id mixed(small_graph& t, node_id scores, node_id values) {
    return t.call("onnx.MatMul", {t.call("onnx.Softmax", {scores}, {{"axis", std::int64_t{-1}}}), values});
}
node_id turned(small_graph& t, node_id x, extents order) { return t.call("onnx.Transpose", {x}, {{"perm", std::move(order)}}); }

}  // namespace

TEST_CASE("attention over heads that lie side by side agrees with its definition, whatever its extents and its mask") {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        const std::int64_t batch = pick(1, 2), heads = pick(1, 4), rows = pick(1, 50), keys = pick(1, 90), depth = pick(1, 40),
                           width = pick(1, 40);
        small_graph t(seed);
        std::size_t nodes = 3;
        node_id q = t.input({batch, heads, rows, depth}), k = t.input({batch, heads, depth, keys}),
                v = t.input({batch, heads, keys, width});
        if (pick(0, 1) == 0) {
            q = turned(t, t.input({batch, rows, heads, depth}), {0, 2, 1, 3});
            k = turned(t, t.input({batch, keys, heads, depth}), {0, 2, 3, 1});
            v = turned(t, t.input({batch, keys, heads, width}), {0, 2, 1, 3});
            nodes += 3;
        }
        if (pick(0, 3) == 0) q = t.call("onnx.Mul", {q, t.scalar(0.5f)}), k = t.call("onnx.Div", {k, t.scalar(3)}), nodes += 2;
        node_id scores = t.call("onnx.MatMul", {q, k});
        if (pick(0, 1) == 0) scores = t.call("onnx.Div", {scores, t.scalar(2)}), ++nodes;
        const extents masks[] = {{keys}, {batch, 1, 1, keys}, {1, 1, rows, keys}, {batch, heads, rows, keys}};
        if (const auto m = static_cast<std::size_t>(pick(0, 7)); m < 4)
            scores = t.call("onnx.Add", {scores, m == 0 ? t.random(masks[m]) : t.input(masks[m])}), ++nodes;
        node_id y = mixed(t, scores, v);
        if (pick(0, 1) == 0) y = turned(t, y, {0, 2, 1, 3}), ++nodes;
        CHECK(expect_taken(t.finish(y), nodes).composite == "attention");
    }
}

TEST_CASE("attention of many rows and keys goes block by block") {
    small_graph t;
    const node_id scores = t.call("onnx.MatMul", {t.input({300, 16}), t.input({16, 700})});
    CHECK(expect_taken(t.finish(mixed(t, scores, t.input({700, 33}))), 3).composite == "attention");
}

TEST_CASE("what is no attention of ours is left to others, with the reason") {
    SUBCASE("constant keys") {
        small_graph t;
        const node_id scores = t.call("onnx.MatMul", {t.input({4, 8}), t.random({8, 5})});
        CHECK(why_not(t.finish(mixed(t, scores, t.input({5, 3})))) == "an operand of the attention is a constant");
    }
    SUBCASE("softmax along the rows") {
        small_graph t;
        const node_id scores = t.call("onnx.MatMul", {t.input({4, 8}), t.input({8, 5})});
        const node_id weights = t.call("onnx.Softmax", {scores}, {{"axis", std::int64_t{0}}});
        CHECK(why_not(t.finish(t.call("onnx.MatMul", {weights, t.input({5, 3})}))) == "softmax is along axis 0, not the last");
    }
    SUBCASE("a mask of one number for each row") {
        small_graph t;
        const node_id scores = t.call("onnx.MatMul", {t.input({4, 8}), t.input({8, 5})});
        const node_id masked = t.call("onnx.Add", {scores, t.input({4, 1})});
        CHECK(why_not(t.finish(mixed(t, masked, t.input({5, 3})))).find("which is no row, matrix or batch of the scores") !=
              std::string::npos);
    }
    SUBCASE("a factor that is a row") {
        small_graph t;
        const node_id scores = t.call("onnx.MatMul", {t.input({4, 8}), t.input({8, 5})});
        const node_id scaled = t.call("onnx.Mul", {scores, t.random({5})});
        CHECK(why_not(t.finish(mixed(t, scaled, t.input({5, 3})))) == "onnx.Mul in the attention is not by one constant number");
    }
    SUBCASE("queries whose elements do not lie side by side") {
        small_graph t;
        const node_id scores = t.call("onnx.MatMul", {turned(t, t.input({8, 4}), {1, 0}), t.input({8, 5})});
        CHECK(why_not(t.finish(mixed(t, scores, t.input({5, 3})))).find("the queries are transposed") != std::string::npos);
    }
    SUBCASE("a result whose columns do not lie side by side") {
        small_graph t;
        const node_id scores = t.call("onnx.MatMul", {t.input({4, 8}), t.input({8, 5})});
        CHECK(why_not(t.finish(turned(t, mixed(t, scores, t.input({5, 3})), {1, 0}))).find("the result is transposed") !=
              std::string::npos);
    }
}
