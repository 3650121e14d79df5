// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/expanded_depthwise.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/pattern/match/match.hpp>

#include "small_graph.hpp"

using namespace inlay;
using namespace inlay_test;
using detail::expanded_depthwise;

namespace {

using list = std::vector<std::int64_t>;

node_id pointwise(small_graph& t, node_id x, std::int64_t in, std::int64_t out) {
    return t.call("onnx.Conv", {x, t.random({out, in, 1, 1})});
}
node_id depthwise(small_graph& t, node_id x, std::int64_t channels) {
    return t.call("onnx.Conv", {x, t.random({channels, 1, 3, 3})}, {{"group", channels}, {"pads", list{1, 1, 1, 1}}});
}
node_id silu(small_graph& t, node_id x) { return t.call("onnx.Mul", {x, t.call("onnx.Sigmoid", {x})}); }

std::string why_not(ir_module g) {
    const whole_region whole(std::move(g));
    const auto p = expanded_depthwise::read(whole.view());
    return p ? "" : p.failure().message;
}

}  // namespace

TEST_CASE("an expansion and the windows behind it are found up to the gate, and read with what follows each") {
    small_graph t;
    const node_id x = t.input({1, 4, 9, 9});
    const node_id wide = silu(t, t.normalized(pointwise(t, x, 4, 12), 12));
    const node_id y = silu(t, depthwise(t, wide, 12));
    const ir_module g = t.finish(y);
    const auto m = match(expanded_depthwise::pattern(), g, user_lists(g), y);
    REQUIRE(m.has_value());
    CHECK(m->nodes.size() == 7);
    const whole_region whole(g);
    const auto p = expanded_depthwise::read(whole.view());
    REQUIRE_MESSAGE(p.has_value(), p.failure().message);
    REQUIRE(p->expand.has_value());
    CHECK(whole.view()[p->x()].origin == x);
    CHECK(p->expand->after.size() == 1);
    CHECK(p->depthwise.groups == 12);
    CHECK(p->depthwise.after.size() == 1);
    CHECK(p->calls == 7);
}

TEST_CASE("windows without an expansion, and operators that are no functions between both, are not found") {
    small_graph t;
    const node_id y = depthwise(t, t.input({1, 4, 9, 9}), 4);
    const ir_module g = t.finish(y);
    CHECK_FALSE(match(expanded_depthwise::pattern(), g, user_lists(g), y).has_value());
    small_graph u;
    const node_id pooled = u.call("onnx.GlobalAveragePool", {pointwise(u, u.input({1, 4, 9, 9}), 4, 12)});
    const node_id z = depthwise(u, pooled, 12);
    const ir_module other = u.finish(z);
    CHECK_FALSE(match(expanded_depthwise::pattern(), other, user_lists(other), z).has_value());
}

TEST_CASE("what is no expansion with windows behind it says why") {
    small_graph alone;
    CHECK(why_not(alone.finish(depthwise(alone, alone.input({1, 4, 9, 9}), 4))) ==
          "the region's 1 operators are no 1 x 1 convolution and a depthwise one");
    small_graph dense;
    CHECK(why_not(dense.finish(pointwise(dense, pointwise(dense, dense.input({1, 4, 9, 9}), 4, 12), 12, 4))) ==
          "a convolution of 1 groups for 12 to 4 channels stands where a depthwise one is expected");
    small_graph window;
    const node_id first = window.call("onnx.Conv", {window.input({1, 4, 9, 9}), window.random({12, 4, 3, 3})});
    CHECK(why_not(window.finish(depthwise(window, first, 12))) ==
          "a convolution beside the depthwise one is not 1 x 1 of stride 1 without pads and groups");
    small_graph tensor;
    const node_id y = depthwise(tensor, pointwise(tensor, tensor.input({1, 4, 9, 9}), 4, 12), 12);
    CHECK(
        why_not(tensor.finish(tensor.call("onnx.Add", {y, tensor.input({1, 12, 9, 9})}))) ==
        "onnx.Add behind the first or the depthwise convolution takes another tensor of type float32[1,12,9,9], which is no constant with "
        "one number for each channel");
}
