// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/activation.hpp>

#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;
using namespace inlay::detail;

namespace {

std::optional<activation> read(const ir_module& g, node_id n, activation_rules rules = {}) {
    return activation_reader(graph_nodes<ir_module>{g}, rules).read(n);
}

}  // namespace

TEST_CASE("an operator with a number is a linear function of the other operand") {
    small_graph s;
    const node_id x = s.input({2, 3}), y = s.call("onnx.Sub", {s.scalar(4), x});
    const auto a = read(s.finish(y), y);
    REQUIRE(a.has_value());
    CHECK(a->source == x);
    CHECK(a->functions[0].alpha == -1);
    CHECK(a->functions[0].beta == 4);
}

TEST_CASE("a number that raises the rank is none") {
    small_graph s;
    const node_id y = s.call("onnx.Add", {s.input({3}), s.random({1, 1, 1})});
    CHECK_FALSE(read(s.finish(y), y).has_value());
}

TEST_CASE("swish of a product is read down to the product, not into it") {
    small_graph s;
    const node_id p = s.call("onnx.Mul", {s.input({3}), s.input({3})});
    const node_id y = s.call("onnx.Mul", {p, s.call("onnx.Sigmoid", {p})});
    const auto a = read(s.finish(y), y);
    REQUIRE(a.has_value());
    CHECK(a->source == p);
    CHECK(a->functions[0].kind == elementwise_function::form::swish);
    CHECK(a->calls.size() == 2);
}

TEST_CASE("GELU with another constant is not GELU") {
    for (const float number : {0.5f, 0.25f}) {
        small_graph s;
        const node_id x = s.input({3});
        const node_id gate = s.call("onnx.Add", {s.call("onnx.Erf", {s.call("onnx.Div", {x, s.scalar(1.41421356f)})}), s.scalar(1)});
        const node_id y = s.call("onnx.Mul", {s.call("onnx.Mul", {x, gate}), s.scalar(number)});
        const auto a = read(s.finish(y), y);
        REQUIRE(a.has_value());
        CHECK((a->functions[0].kind == elementwise_function::form::gelu) == (number == 0.5f));
    }
}

TEST_CASE("bounds that are computed, or the wrong way round, are no function of one tensor") {
    small_graph s;
    const node_id y = s.call("onnx.Clip", {s.input({3}), s.input({}), s.scalar(6)});
    CHECK_FALSE(read(s.finish(y), y).has_value());
    small_graph u;
    const node_id z = u.call("onnx.Clip", {u.input({3}), u.scalar(6), u.scalar(0)});
    CHECK_FALSE(read(u.finish(z), z).has_value());
}

TEST_CASE("where numbers may be others, a ramp of any slope is hard swish, and a factor beside it a function of its own") {
    small_graph s;
    const node_id x = s.input({3});
    const node_id ramp = s.call("onnx.Clip", {s.call("onnx.Add", {x, s.scalar(2)}), s.scalar(0), s.scalar(8)});
    const node_id y = s.call("onnx.Mul", {s.call("onnx.Mul", {x, ramp}), s.scalar(0.5f)});
    const ir_module g = s.finish(y);
    const auto plain = read(g, y), scaled = read(g, y, {1e-5, true});
    REQUIRE(plain.has_value());
    CHECK(plain->functions[0].kind == elementwise_function::form::linear);
    REQUIRE(scaled.has_value());
    REQUIRE(scaled->functions.size() == 2);
    CHECK(scaled->source == x);
    CHECK(scaled->calls.size() == 4);
    CHECK(scaled->functions[0].kind == elementwise_function::form::hard_swish);
    CHECK(scaled->functions[0].alpha == 0.125);
    CHECK(scaled->functions[0].beta == 0.25);
    CHECK(scaled->functions[1].alpha == 4);
}
