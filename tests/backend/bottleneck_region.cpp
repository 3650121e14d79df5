// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/bottleneck_region.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/pattern/match/match.hpp>

#include "small_graph.hpp"

using namespace inlay;
using namespace inlay_test;
using detail::bottleneck_region;

namespace {

using list = std::vector<std::int64_t>;

struct built {
    small_graph t;
    node_id x = t.input({1, 4, 9, 9});

    node_id pointwise(node_id from, std::int64_t in, std::int64_t out) { return t.call("onnx.Conv", {from, t.random({out, in, 1, 1})}); }
    node_id depthwise(node_id from, std::int64_t channels, std::int64_t stride = 1) {
        return t.call("onnx.Conv", {from, t.random({channels, 1, 3, 3})},
                      {{"group", channels}, {"pads", list{1, 1, 1, 1}}, {"strides", list{stride, stride}}});
    }
};

/// The error of reading a whole program as a bottleneck.
std::string why_not(ir_module g) {
    const whole_region whole(std::move(g));
    const auto p = bottleneck_region::read(whole.view());
    return p ? "" : p.failure().message;
}

}  // namespace

TEST_CASE("a bottleneck is read as three convolutions, each with what follows it") {
    built b;
    const node_id wide = b.t.call("onnx.Clip", {b.t.normalized(b.pointwise(b.x, 4, 12), 12), b.t.scalar(0), b.t.scalar(6)});
    const node_id narrow = b.depthwise(wide, 12);
    const node_id gated = b.t.call("onnx.Mul", {narrow, b.t.call("onnx.Sigmoid", {narrow})});
    const node_id y = b.t.call("onnx.Add", {b.x, b.t.normalized(b.pointwise(gated, 12, 4), 4)});
    const ir_module g = b.t.finish(y);
    const auto m = match(bottleneck_region::pattern(), g, user_lists(g), y);
    REQUIRE(m.has_value());
    CHECK(m->nodes.size() == 9);
    const whole_region whole(g);
    const auto p = bottleneck_region::read(whole.view());
    REQUIRE_MESSAGE(p.has_value(), p.failure().message);
    REQUIRE(p->expand.has_value());
    CHECK(whole.view()[p->x()].origin == b.x);
    CHECK(p->expand->y_extents == list{1, 12, 9, 9});
    CHECK(p->expand->after.size() == 1);
    CHECK(p->depthwise.groups == 12);
    CHECK(p->depthwise.after.size() == 1);
    CHECK(p->project.y_extents == list{1, 4, 9, 9});
    CHECK(p->project.after.size() == 1);
}

TEST_CASE("without a first convolution the depthwise one is the first") {
    built b;
    const node_id y = b.pointwise(b.t.call("onnx.Relu", {b.depthwise(b.x, 4, 2)}), 4, 10);
    const ir_module g = b.t.finish(y);
    const auto m = match(bottleneck_region::pattern(), g, user_lists(g), y);
    REQUIRE(m.has_value());
    CHECK(m->nodes.size() == 3);
    const whole_region whole(g);
    const auto p = bottleneck_region::read(whole.view());
    REQUIRE_MESSAGE(p.has_value(), p.failure().message);
    CHECK_FALSE(p->expand.has_value());
    CHECK(p->first().groups == 4);
    CHECK(p->project.y_extents == list{1, 10, 5, 5});
}

TEST_CASE("the pattern finds both forms of a bottleneck, and none where an operator between its convolutions is no function") {
    built b;
    const node_id wide = b.t.call("onnx.Relu", {b.pointwise(b.x, 4, 12)});
    const node_id y = b.pointwise(b.depthwise(wide, 12), 12, 4);
    const ir_module g = b.t.finish(y);
    std::vector<std::size_t> sizes;
    for_each_match(bottleneck_region::pattern(), g, user_lists(g), y, [&](auto&& m) {
        sizes.push_back(m.nodes.size());
        return false;
    });
    CHECK(sizes == std::vector<std::size_t>{4, 2});
    built c;
    const node_id pooled = c.t.call("onnx.GlobalAveragePool", {c.depthwise(c.x, 4)});
    const node_id z = c.pointwise(pooled, 4, 4);
    const ir_module other = c.t.finish(z);
    CHECK_FALSE(match(bottleneck_region::pattern(), other, user_lists(other), z).has_value());
}

TEST_CASE("what is no bottleneck says why") {
    built window;
    const node_id wide = window.depthwise(window.x, 4);
    CHECK(why_not(window.t.finish(window.t.call("onnx.Conv", {wide, window.t.random({4, 4, 3, 3})}))) ==
          "a convolution beside the depthwise one is not 1 x 1 of stride 1 without pads and groups");
    built dense;
    const node_id first = dense.t.call("onnx.Conv", {dense.x, dense.t.random({6, 4, 3, 3})});
    CHECK(why_not(dense.t.finish(dense.pointwise(first, 6, 4))) ==
          "a convolution of 1 groups for 4 to 6 channels stands where a depthwise one is expected");
    built tensor;
    const node_id sum = tensor.t.call("onnx.Add", {tensor.depthwise(tensor.x, 4), tensor.t.input({1, 4, 9, 9})});
    CHECK(why_not(tensor.t.finish(tensor.pointwise(sum, 4, 4))) ==
          "onnx.Add behind the first or the depthwise convolution takes another tensor of type float32[1,4,9,9], which is no constant with "
          "one number for each "
          "channel");
    built one;
    CHECK(why_not(one.t.finish(one.pointwise(one.x, 4, 4))) == "the region holds no convolution");
}
