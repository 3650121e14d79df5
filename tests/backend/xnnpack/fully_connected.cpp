// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/fully_connected.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace xnnpack_test;

static_assert(pattern<decltype(detail::xnnpack_fully_connected::pattern_of_product())>);

TEST_CASE("products with a constant matrix agree with their definition") {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        const std::int64_t in = pick(1, 40), out = pick(1, 40);
        small_graph t(seed);
        node_id y = 0;
        if (pick(0, 1) == 0) {
            extents x{pick(1, 9), in};
            for (std::int64_t i = pick(0, 2); i > 0; --i) x.insert(x.begin(), pick(1, 3));
            y = t.call("onnx.MatMul", {t.input(x), t.random({in, out})});
        } else {
            const std::int64_t turned = pick(0, 1);
            const node_id x = t.input({pick(1, 9), in}), w = t.random(turned == 1 ? extents{out, in} : extents{in, out});
            const node_id c = pick(0, 1) == 0 ? t.random({out}) : t.random({1, 1});
            y = t.call("onnx.Gemm", {x, w, c}, {{"transB", turned}, {"alpha", 0.5}, {"beta", 2.0}});
        }
        std::size_t nodes = 1;
        if (pick(0, 2) == 0) y = t.call("onnx.Mul", {y, t.scalar(0.25f)}), ++nodes;
        if (pick(0, 1) == 0) y = t.call("onnx.Add", {t.random({out}), y}), ++nodes;
        if (pick(0, 1) == 0) y = t.call("onnx.Relu", {y}), ++nodes;
        const taken got = expect_taken(t.finish(y), nodes);
        CHECK(got.has("plain->plain"));
        CHECK(got.composite == "fully_connected");
    }
}

TEST_CASE("products that are not taken say why, with the values found") {
    small_graph t;
    CHECK(why_not(t.finish(t.call("onnx.Gemm", {t.input({4, 3}), t.random({4, 5})}, {{"transA", std::int64_t{1}}}))).find("transA = 1") !=
          std::string::npos);
    small_graph u;
    CHECK(why_not(u.finish(u.call("onnx.MatMul", {u.input({4, 3}), u.input({3, 5})}))).find("float32[3,5]") != std::string::npos);
    small_graph v;
    CHECK(why_not(v.finish(v.call("onnx.MatMul", {v.input({2, 4, 3}), v.random({2, 3, 5})}))).find("float32[2,3,5]") != std::string::npos);
    small_graph w;
    CHECK(why_not(w.finish(w.call("onnx.Gemm", {w.input({4, 3}), w.random({3, 5}), w.random({4, 1})}))).find("float32[4,1]") !=
          std::string::npos);
}
