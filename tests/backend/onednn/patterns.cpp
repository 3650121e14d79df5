// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/patterns.hpp>

#include <string>

#include <doctest/doctest.h>

#include <inlay/pattern/match.hpp>

#include "small_graph.hpp"

using namespace inlay;
using namespace inlay_test;
using namespace inlay::detail;

namespace {

constexpr auto maybe = onednn_maybe<2, "onnx.Add", "onnx.Mul">(dsl::op<"onnx.Relu">);
constexpr auto activated = onednn_activated(dsl::op<"onnx.Relu">);

}  // namespace

static_assert(pattern<std::remove_const_t<decltype(maybe)>>);
static_assert(pattern<std::remove_const_t<decltype(activated)>>);

TEST_CASE("an optional call is found around either operand, and may be missing") {
    small_graph s;
    const node_id x = s.input({3}), r = s.call("onnx.Relu", {x});
    const node_id left = s.call("onnx.Add", {r, x}), right = s.call("onnx.Mul", {x, r}), other = s.call("onnx.Sub", {r, x});
    const ir_module g = s.finish(s.call("onnx.Sum", {left, right, other}));
    const user_lists users(g);
    for (const node_id n : {left, right}) {
        const auto m = match(maybe, g, users, n);
        REQUIRE(m.has_value());
        CHECK(m->nodes == std::vector<node_id>{r, n});
    }
    CHECK(match(maybe, g, users, r)->nodes == std::vector<node_id>{r});
    CHECK_FALSE(match(maybe, g, users, other).has_value());
}

TEST_CASE("a function in several nodes is covered as a whole, and one with other numbers is not found") {
    for (const float number : {3.0f, 2.5f}) {
        small_graph s;
        const node_id r = s.call("onnx.Relu", {s.input({3})});
        const node_id gate = s.call("onnx.Clip", {s.call("onnx.Add", {r, s.scalar(number)}), s.scalar(0), s.scalar(6)});
        const node_id y = s.call("onnx.Mul", {s.call("onnx.Mul", {gate, r}), s.scalar(1.0f / 6)});
        const ir_module g = s.finish(y);
        const auto m = match(activated, g, user_lists(g), y);
        CHECK(m.has_value() == (number == 3.0f));
        if (m) CHECK(m->nodes.size() == 5);
    }
}

TEST_CASE("patterns print themselves") {
    CHECK(maybe.text() ==
          "onnx.Add(onnx.Relu, ...) | onnx.Mul(onnx.Relu, ...) | onnx.Add(*, onnx.Relu, ...) | onnx.Mul(*, onnx.Relu, ...) | onnx.Relu");
    CHECK(activated.text() == "activation(onnx.Relu)");
}
