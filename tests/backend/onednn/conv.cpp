// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/conv.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;
using list = std::vector<std::int64_t>;

static_assert(pattern<decltype(detail::onednn_conv::pattern_of_conv())>);
static_assert(pattern<decltype(detail::onednn_conv::pattern_of_transposed())>);

namespace {

struct conv_case {
    list x, w;
    std::int64_t group = 1;
    list strides = {1, 1}, dilations = {1, 1}, pads = {0, 0, 0, 0};
    bool bias = true;
};

node_id convolution(small_graph& s, node_id x, const conv_case& c) {
    const attribute_map a{{"group", c.group}, {"strides", c.strides}, {"dilations", c.dilations}, {"pads", c.pads}};
    const node_id w = s.random(c.w);
    if (!c.bias) return s.call("onnx.Conv", {x, w}, a);
    return s.call("onnx.Conv", {x, w, s.random({c.w[0]})}, a);
}

taken alone(const conv_case& c, double tolerance = 2e-5) {
    small_graph s;
    return expect_taken(s.finish(convolution(s, s.input(c.x), c)), 1, {}, tolerance);
}

const std::string blocked = "channels_blocked" + std::to_string(detail::onednn_block());

}  // namespace

TEST_CASE("a convolution runs row-major, channels last and blocked") {
    const taken t = alone({{1, 32, 9, 11}, {48, 32, 3, 3}, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}});
    CHECK(t.has("plain->plain"));
    CHECK(t.has("channels_last->channels_last"));
    CHECK(t.has(blocked + "->" + blocked));
    CHECK(t.composite == "convolution");
}

TEST_CASE("channels that do not fill a block, batches and asymmetric pads are computed right") {
    const taken t = alone({{2, 24, 9, 7}, {40, 24, 3, 3}, 1, {2, 1}, {1, 1}, {0, 1, 2, 1}});
    CHECK(t.has(blocked + "->" + blocked));
    alone({{2, 5, 9, 7}, {7, 5, 3, 2}, 1, {1, 1}, {1, 1}, {1, 0, 0, 1}, false});
}

TEST_CASE("few input channels come row-major and leave blocked") {
    const taken t = alone({{2, 3, 17, 17}, {32, 3, 3, 3}, 1, {2, 2}, {1, 1}, {1, 1, 1, 1}});
    CHECK(t.has("plain->" + blocked));
    CHECK_FALSE(t.has(blocked + "->" + blocked));
}

TEST_CASE("groups, depth-wise convolutions and dilations are computed right") {
    alone({{2, 64, 8, 8}, {64, 16, 3, 3}, 4, {1, 1}, {1, 1}, {1, 1, 1, 1}});
    alone({{1, 30, 6, 6}, {12, 10, 1, 1}, 3});
    const taken depthwise = alone({{2, 24, 9, 9}, {24, 1, 3, 3}, 24, {2, 2}, {1, 1}, {1, 1, 1, 1}});
    CHECK(depthwise.has(blocked + "->" + blocked));
    CHECK(depthwise.has("channels_last->channels_last"));
    alone({{1, 16, 12, 12}, {32, 16, 3, 3}, 1, {1, 1}, {2, 3}, {2, 3, 2, 3}});
    alone({{1, 8, 12, 12}, {16, 1, 5, 5}, 8, {1, 1}, {1, 1}, {2, 2, 2, 2}});
}

TEST_CASE("one and three spatial axes are computed right") {
    const taken line = alone({{2, 16, 30}, {32, 16, 5}, 1, {2}, {1}, {2, 1}});
    CHECK(line.has("plain->plain"));
    const taken volume = alone({{1, 16, 5, 6, 7}, {32, 16, 3, 3, 3}, 1, {1, 1, 1}, {1, 1, 1}, {1, 1, 1, 1, 1, 1}});
    CHECK(volume.has("channels_last->channels_last"));
}

TEST_CASE("automatic pads are resolved") {
    for (const char* how : {"SAME_UPPER", "SAME_LOWER", "VALID"}) {
        small_graph s;
        const node_id y = s.call("onnx.Conv", {s.input({1, 16, 10, 9}), s.random({16, 16, 4, 3})},
                                 {{"auto_pad", std::string(how)}, {"strides", list{2, 2}}});
        expect_taken(s.finish(y), 1);
    }
}

TEST_CASE("a batch normalisation is folded, and an activation follows in the same primitive") {
    small_graph s;
    const node_id conv = convolution(s, s.input({2, 24, 8, 8}), {{}, {40, 24, 3, 3}, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}, false});
    const taken t = expect_taken(s.finish(s.call("onnx.Relu", {s.normalized(conv, 40)})), 3);
    CHECK(t.has(blocked + "->" + blocked));
}

TEST_CASE("factors and terms per channel are folded") {
    small_graph s;
    const node_id conv = convolution(s, s.input({1, 16, 8, 8}), {{}, {32, 16, 1, 1}});
    const node_id scaled = s.call("onnx.Mul", {s.random({1, 32, 1, 1}), conv});
    expect_taken(s.finish(s.call("onnx.Add", {scaled, s.random({32, 1, 1})})), 3);
    small_graph u;
    const node_id plain = convolution(u, u.input({1, 16, 8, 8}), {{}, {32, 16, 1, 1}});
    expect_taken(u.finish(u.call("onnx.Mul", {plain, u.scalar(0.25f)})), 2);
}

TEST_CASE("another tensor is added before or after the activation, in either order") {
    for (const std::string_view sum : {"onnx.Add", "onnx.Sum"})
        for (const bool second : {false, true}) {
            small_graph s;
            const node_id x = s.input({2, 32, 7, 7}), other = s.input({2, 24, 7, 7});
            const node_id y = s.normalized(convolution(s, x, {{}, {24, 32, 1, 1}}), 24);
            const node_id joined = second ? s.call(sum, {other, y}) : s.call(sum, {y, other});
            const taken t = expect_taken(s.finish(s.call("onnx.Relu", {joined})), 4);
            CHECK(t.has(blocked + "," + blocked + "->" + blocked));
            CHECK(t.has("channels_last,channels_last->channels_last"));
            CHECK(t.has("plain,plain->plain"));
        }
    small_graph s;
    const node_id x = s.input({1, 24, 7, 7}), other = s.input({1, 24, 7, 7});
    const node_id y = convolution(s, x, {{}, {24, 24, 3, 3}, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}});
    expect_taken(s.finish(s.call("onnx.Add", {s.call("onnx.Mul", {y, s.call("onnx.Sigmoid", {y})}), other})), 4);
}

TEST_CASE("the input itself may be added") {
    small_graph s;
    const node_id x = s.input({1, 32, 7, 7});
    const node_id y = convolution(s, x, {{}, {32, 32, 3, 3}, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}});
    const taken t = expect_taken(s.finish(s.call("onnx.Add", {x, y})), 2);
    CHECK(t.has(blocked + "->" + blocked));
}

TEST_CASE("every activation follows a convolution whose channels do not fill a block") {
    const std::vector<std::pair<std::string, attribute_map>> known{{"Relu", {}},
                                                                   {"LeakyRelu", {{"alpha", 0.1}}},
                                                                   {"Sigmoid", {}},
                                                                   {"Tanh", {}},
                                                                   {"Elu", {{"alpha", 0.7}}},
                                                                   {"HardSwish", {}},
                                                                   {"HardSigmoid", {{"alpha", 0.3}, {"beta", 0.4}}},
                                                                   {"Gelu", {}},
                                                                   {"Gelu", {{"approximate", std::string("tanh")}}},
                                                                   {"Softplus", {}},
                                                                   {"Mish", {}}};
    for (const auto& [op, attributes] : known) {
        CAPTURE(op);
        small_graph s;
        const node_id y = convolution(s, s.input({1, 24, 6, 6}), {{}, {20, 24, 3, 3}, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}});
        const taken t = expect_taken(s.finish(s.call("onnx." + op, {y}, attributes)), 2);
        CHECK(t.has(blocked + "->" + blocked));
    }
    small_graph s;
    const node_id y = convolution(s, s.input({1, 24, 6, 6}), {{}, {20, 24, 1, 1}});
    expect_taken(s.finish(s.call("onnx.Clip", {y, s.scalar(0), s.scalar(6)})), 2);
    small_graph u;
    const node_id v = convolution(u, u.input({1, 24, 6, 6}), {{}, {20, 24, 1, 1}});
    expect_taken(u.finish(u.call("onnx.Clip", {v, u.absent(), u.scalar(0.5f)})), 2);
}

TEST_CASE("Winograd's form is offered for 3 x 3 unless the option says no, and stays within the tolerance") {
    for (const std::int64_t side : {14, 28})
        for (const bool joined : {false, true}) {
            small_graph s;
            const std::int64_t channels = side == 14 ? 64 : 128;
            node_id y =
                convolution(s, s.input({1, channels, side, side}), {{}, {channels, channels, 3, 3}, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}});
            if (joined) y = s.call("onnx.Add", {y, s.input({1, channels, side, side})});
            const ir_module g = s.finish(s.call("onnx.Relu", {y}));
            onednn direct;
            direct.winograd = false;
            const std::string way = joined ? blocked + "," + blocked + "->" + blocked : blocked + "->" + blocked;
            const taken without = expect_taken(g, joined ? 3 : 2, direct, 2e-6), with = expect_taken(g, joined ? 3 : 2);
            for (const taken_way& w : without.ways) CHECK(w.note.find("wino") == std::string::npos);
            for (const taken_way& w : with.ways)
                CHECK((w.note.find("wino") != std::string::npos) == (w.composite == "convolution_winograd"));
            CHECK(without.note(way) == with.note(way));
            if (detail::onednn_block() == 16) CHECK(detail::onednn_has_winograd == (with.count("convolution_winograd") > 0));
        }
}

TEST_CASE("two threads compute the same") {
    small_graph s;
    const node_id y = convolution(s, s.input({1, 32, 14, 14}), {{}, {64, 32, 3, 3}, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}});
    onednn two;
    two.threads = 2;
    expect_taken(s.finish(y), 1, two);
}

TEST_CASE("a transposed convolution is computed right, with groups, output padding and an activation") {
    struct form {
        list x, w;
        std::int64_t group;
        list strides, dilations, pads, extra;
    };
    const std::vector<form> forms{{{1, 16, 5, 6}, {16, 24, 2, 2}, 1, {2, 2}, {1, 1}, {0, 0, 0, 0}, {0, 0}},
                                  {{2, 16, 5, 6}, {16, 32, 4, 4}, 1, {2, 2}, {1, 1}, {1, 1, 1, 1}, {0, 0}},
                                  {{1, 16, 5, 6}, {16, 16, 3, 3}, 1, {2, 2}, {1, 1}, {1, 1, 1, 1}, {1, 1}},
                                  {{1, 16, 5, 6}, {16, 8, 3, 3}, 2, {1, 2}, {1, 1}, {0, 1, 1, 0}, {0, 0}},
                                  {{1, 8, 5, 6}, {8, 8, 3, 3}, 1, {1, 1}, {2, 2}, {0, 0, 0, 0}, {0, 0}}};
    for (const form& f : forms) {
        small_graph s;
        const std::int64_t outputs = f.w[1] * f.group;
        const node_id y =
            s.call("onnx.ConvTranspose", {s.input(f.x), s.random(f.w), s.random({outputs})},
                   {{"group", f.group}, {"strides", f.strides}, {"dilations", f.dilations}, {"pads", f.pads}, {"output_padding", f.extra}});
        const taken t = expect_taken(s.finish(s.call("onnx.Relu", {s.normalized(y, outputs)})), 3);
        CHECK(t.composite == "transposed_convolution");
    }
}

TEST_CASE("transposed windows that do not overlap are products of matrices, channels last") {
    for (const bool bias : {false, true})
        for (const list& kernel : {list{2, 2}, list{3, 2}}) {
            small_graph s;
            const node_id x = s.input({2, 12, 3, 5}), w = s.random({12, 7, kernel[0], kernel[1]});
            const attribute_map a{{"strides", kernel}};
            const node_id y = bias ? s.call("onnx.ConvTranspose", {x, w, s.random({7})}, a) : s.call("onnx.ConvTranspose", {x, w}, a);
            const taken t = expect_taken(s.finish(s.call("onnx.Sigmoid", {y})), 2);
            CHECK(t.has("channels_last->channels_last"));
        }
}

TEST_CASE("what is not taken says why") {
    small_graph s;
    const node_id conv = s.call("onnx.Conv", {s.input({1, 16, 8, 8}), s.input({16, 16, 3, 3})});
    CHECK(why_not(s.finish(conv)).find("no float32 constant") != std::string::npos);
    small_graph broadcast;
    const node_id y = convolution(broadcast, broadcast.input({1, 16, 8, 8}), {{}, {16, 16, 1, 1}});
    CHECK(why_not(broadcast.finish(broadcast.call("onnx.Add", {y, broadcast.input({1, 16, 1, 1})}))).find("not of the result's") !=
          std::string::npos);
    small_graph late;
    const node_id z = convolution(late, late.input({1, 16, 8, 8}), {{}, {16, 16, 1, 1}});
    const node_id widening = late.call("onnx.Add", {z, late.random({4, 16, 8, 8})});
    CHECK_FALSE(why_not(late.finish(widening)).empty());
}
