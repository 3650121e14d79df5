// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/activation.hpp>

#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;
using namespace inlay::detail;

namespace {

std::optional<onednn_activation> read(const ir_module& g, node_id n) {
    return onednn_activation_reader(onednn_graph_nodes<ir_module>{g}).read(n);
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
    CHECK(a->functions[0].function == dnnl::algorithm::eltwise_swish);
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
        CHECK((a->functions[0].function == dnnl::algorithm::eltwise_gelu_erf) == (number == 0.5f));
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
