// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/openblas/conv.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace openblas_test;

static_assert(pattern<decltype(detail::openblas_conv::pattern_of_conv())>);

TEST_CASE("convolutions of one place with random things behind them agree with their definition, in both formats") {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        const std::int64_t in = pick(1, 20), out = pick(1, 20);
        extents x{pick(1, 3), in}, w{out, in};
        for (std::int64_t i = pick(1, 3); i > 0; --i) {
            x.push_back(pick(1, 6));
            w.push_back(1);
        }
        extents result = x, line(x.size() - 1, 1);
        result[1] = line[0] = out;
        small_graph t(seed);
        std::size_t nodes = 1;
        node_id y = pick(0, 1) == 0 ? t.call("onnx.Conv", {t.input(x), t.random(w), t.random({out})})
                                    : t.call("onnx.Conv", {t.input(x), t.random(w)});
        if (pick(0, 2) == 0) y = t.normalized(y, out), ++nodes;
        if (pick(0, 2) == 0) y = t.call("onnx.Mul", {t.random(line), y}), ++nodes;
        if (pick(0, 2) == 0) y = t.call("onnx.Add", {t.random(line), y}), ++nodes;
        const bool activated = pick(0, 1) == 0, joined = pick(0, 1) == 0;
        constexpr std::string_view functions[] = {"onnx.Relu", "onnx.HardSwish", "onnx.Sigmoid", "onnx.LeakyRelu"};
        const bool first = pick(0, 1) == 0;
        if (joined && first) y = t.call("onnx.Add", {y, t.input(result)}), ++nodes;
        if (activated) y = t.call(functions[pick(0, 3)], {y}), ++nodes;
        if (joined && !first) y = t.call("onnx.Add", {t.input(result), y}), ++nodes;
        const taken got = expect_taken(t.finish(y), nodes);
        CHECK(got.composite == "pointwise_convolution");
        CHECK(got.ways.size() == 2);
    }
}

TEST_CASE("a line per channel and a number may follow an activation") {
    for (const extents& line : {extents{1, 8, 1, 1}, extents{}}) {
        small_graph s;
        const node_id y = s.call("onnx.Relu", {s.call("onnx.Conv", {s.input({2, 4, 3, 5}), s.random({8, 4, 1, 1})})});
        expect_taken(s.finish(s.call("onnx.Add", {y, line.empty() ? s.scalar(2) : s.random(line)})), 3);
    }
}

TEST_CASE("a large result is finished slice by slice") {
    small_graph s;
    const node_id y = s.call("onnx.Conv", {s.input({1, 8, 64, 64}), s.random({256, 8, 1, 1}), s.random({256})});
    CHECK(expect_taken(s.finish(s.call("onnx.Relu", {s.call("onnx.Add", {y, s.input({1, 256, 64, 64})})})), 3).ways.size() == 2);
}

TEST_CASE("convolutions that are no products say so") {
    const auto refused = [](const extents& x, const extents& w, const attribute_map& attributes = {}) {
        small_graph s;
        return why_not(s.finish(s.call("onnx.Conv", {s.input(x), s.random(w)}, attributes)));
    };
    const std::string is_none = "is a matrix product where its window is 1";
    CHECK(refused({1, 4, 5, 5}, {8, 4, 3, 3}).find(is_none) != std::string::npos);
    CHECK(refused({1, 4, 5, 5}, {8, 4, 1, 1}, {{"strides", extents{2, 2}}}).find(is_none) != std::string::npos);
    CHECK(refused({1, 4, 5, 5}, {8, 4, 1, 1}, {{"pads", extents{1, 1, 1, 1}}}).find(is_none) != std::string::npos);
    CHECK(refused({1, 4, 5, 5}, {8, 2, 1, 1}, {{"group", std::int64_t{2}}}).find(is_none) != std::string::npos);
    CHECK(refused({0, 4, 5, 5}, {8, 4, 1, 1}).find("has no elements") != std::string::npos);
    small_graph free;
    CHECK(why_not(free.finish(free.call("onnx.Conv", {free.input({1, 4, 5, 5}), free.input({8, 4, 1, 1})}))).find("float32[8,4,1,1]") !=
          std::string::npos);
    small_graph stretched;
    const node_id y = stretched.call("onnx.Conv", {stretched.input({1, 4, 5, 5}), stretched.random({8, 4, 1, 1})});
    CHECK(why_not(stretched.finish(stretched.call("onnx.Add", {y, stretched.input({1, 1, 5, 5})}))).find("float32[1,1,5,5]") !=
          std::string::npos);
}
