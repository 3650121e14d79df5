// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/activation_of.hpp>

#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/match/match.hpp>
#include <inlay/pattern/text/pattern_text.hpp>

#include "small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;
using namespace inlay::detail;

namespace {

constexpr auto rectified = activation_of(dsl::op<"onnx.Relu">);
constexpr auto maybe = maybe_activation_of(dsl::op<"onnx.Relu">);

}  // namespace

static_assert(pattern<std::remove_const_t<decltype(rectified)>>);

TEST_CASE("a function in several nodes is covered as a whole, and one with other numbers is not found") {
    for (const float number : {3.0f, 2.5f}) {
        small_graph s;
        const node_id r = s.call("onnx.Relu", {s.input({3})});
        const node_id gate = s.call("onnx.Clip", {s.call("onnx.Add", {r, s.scalar(number)}), s.scalar(0), s.scalar(6)});
        const node_id y = s.call("onnx.Mul", {s.call("onnx.Mul", {gate, r}), s.scalar(1.0f / 6)});
        const ir_module g = s.finish(y);
        const auto m = match(rectified, g, user_lists(g), y);
        CHECK(m.has_value() == (number == 3.0f));
        CHECK(match(maybe, g, user_lists(g), y).has_value() == (number == 3.0f));
        CHECK(match(maybe, g, user_lists(g), r)->nodes == std::vector<node_id>{r});
        if (m) CHECK(m->nodes.size() == 5);
    }
}

TEST_CASE("patterns print themselves") {
    CHECK(inlay::to_text(inlay::view_of(rectified)) == "$activation(onnx.Relu)");
    CHECK(inlay::to_text(inlay::view_of(maybe)) == "$activation(onnx.Relu) | onnx.Relu");
}
