// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/windows.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "lowered_alike.hpp"

using namespace inlay;

namespace {
using numbers = std::vector<std::int64_t>;
}

TEST_CASE("convolutions with groups, strides, dilations and pads come out alike [loops.lower.convolution]") {
    const bool holds = rc::check([] {
        const auto some = [](std::int64_t low, std::int64_t high) { return *rc::gen::inRange(low, high); };
        const std::int64_t groups = some(1, 3), k = some(1, 4);
        const tensor x = lowered::random_floats({2, groups * some(1, 3), some(5, 9), some(5, 9)});
        const tensor w = lowered::random_floats({groups * some(1, 3), x.extents()[1] / groups, k, some(1, 4)}),
                     b = lowered::random_floats({w.extents()[0]});
        const attribute_map how{{"group", groups},
                                {"strides", numbers{some(1, 4), some(1, 4)}},
                                {"dilations", numbers{some(1, 3), 1}},
                                {"pads", numbers{some(0, 3), some(0, 3), some(0, 3), some(0, 3)}}};
        RC_ASSERT(lowered::difference({x, w, b}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      return g.call("onnx.Relu", {g.call("onnx.Conv", {g.call("onnx.Tanh", {in[0]}), in[1], in[2]}, how)});
                  }) == "");
    });
    CHECK(holds);
}

TEST_CASE("poolings come out alike [loops.lower.pooling]") {
    const bool holds = rc::check([] {
        const auto some = [](std::int64_t low, std::int64_t high) { return *rc::gen::inRange(low, high); };
        const tensor x = lowered::random_floats({1, 2, some(4, 9), some(7, 12)});
        const std::int64_t high = some(1, 4), wide = some(1, 4);
        attribute_map how{{"kernel_shape", numbers{high, wide}}, {"strides", numbers{some(1, 3), some(1, 3)}}};
        if (*rc::gen::arbitrary<bool>()) how.set("auto_pad", "SAME_UPPER");
        const auto pooled = [&](const char* op) {
            return lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) { return g.call(op, {in[0]}, how); });
        };
        RC_ASSERT(pooled("onnx.MaxPool") == "");
        RC_ASSERT(pooled("onnx.AveragePool") == "");
        attribute_map average = how;
        average.set("count_include_pad", some(0, 2));
        if (average.find("auto_pad") == nullptr) {
            average.set("ceil_mode", some(0, 2));
            const std::int64_t apart = some(1, 4), reach = (wide - 1) * apart + 1;
            average.set("dilations", numbers{1, apart});
            average.set("pads", numbers{some(0, high), some(0, reach), some(0, high), some(0, reach)});
        }
        const auto averaged = [&](ir_builder& g, const std::vector<node_id>& in) { return g.call("onnx.AveragePool", {in[0]}, average); };
        RC_ASSERT(lowered::difference({x}, averaged) == "");
        attribute_map norm = how;
        norm.set("p", some(1, 4));
        if (norm.find("auto_pad") == nullptr) norm.set("ceil_mode", some(0, 2));
        RC_ASSERT(lowered::difference(
                      {x}, [&](ir_builder& g, const std::vector<node_id>& in) { return g.call("onnx.LpPool", {in[0]}, norm); }) == "");
        RC_ASSERT(lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      return g.call("onnx.GlobalLpPool", {in[0]}, {{"p", some(1, 4)}});
                  }) == "");
        for (const char* op : {"onnx.GlobalAveragePool", "onnx.GlobalMaxPool"})
            RC_ASSERT(lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) { return g.call(op, {in[0]}); }) == "");
    });
    CHECK(holds);
}

TEST_CASE("a window longer than its axis comes out alike, with one place or none [loops.lower.pooling]") {
    for (const std::int64_t stride : {2, 4})
        for (const std::int64_t counts : {0, 1}) {
            const attribute_map how{{"kernel_shape", numbers{2, 3}}, {"strides", numbers{1, stride}}};
            attribute_map average = how;
            average.set("count_include_pad", counts);
            const tensor x = tensor::of<float>({1, 1, 2, 1}, std::vector<float>{3, 5});
            const auto pooled = [&](const char* op, const attribute_map& a) {
                return lowered::difference({x}, [&](ir_builder& g, const std::vector<node_id>& in) { return g.call(op, {in[0]}, a); });
            };
            CHECK(pooled("onnx.AveragePool", average) == "");
            CHECK(pooled("onnx.MaxPool", how) == "");
            CHECK(pooled("onnx.LpPool", how) == "");
        }
}

TEST_CASE("an average over a window whose taps all stand beside the image is 0 [loops.lower.pooling]") {
    const attribute_map beside{{"kernel_shape", numbers{1, 2}}, {"dilations", numbers{1, 3}}, {"pads", numbers{0, 1, 0, 2}}};
    const auto averaged = [&](ir_builder& g, const std::vector<node_id>& in) { return g.call("onnx.AveragePool", {in[0]}, beside); };
    CHECK(lowered::difference({tensor::of<float>({1, 1, 1, 1}, std::vector<float>{3})}, averaged) == "");
}

TEST_CASE("transposed convolutions come out alike [loops.lower.transposed-convolution]") {
    const bool holds = rc::check([] {
        const auto some = [](std::int64_t low, std::int64_t high) { return *rc::gen::inRange(low, high); };
        const std::int64_t groups = some(1, 3), filters = some(1, 3), stride = some(1, 4);
        const tensor x = lowered::random_floats({2, groups * some(1, 3), some(2, 5), some(2, 5)});
        const tensor w = lowered::random_floats({x.extents()[1], filters, some(2, 4), 3}), b = lowered::random_floats({groups * filters});
        const attribute_map how{{"group", groups},
                                {"strides", numbers{stride, some(1, 3)}},
                                {"dilations", numbers{1, some(1, 3)}},
                                {"output_padding", numbers{stride - 1, 0}},
                                {"pads", numbers{some(0, 2), some(0, 2), some(0, 2), some(0, 2)}}};
        RC_ASSERT(lowered::difference({x, w, b}, [&](ir_builder& g, const std::vector<node_id>& in) {
                      return g.call("onnx.Relu", {g.call("onnx.ConvTranspose", {g.call("onnx.Tanh", {in[0]}), in[1], in[2]}, how)});
                  }) == "");
    });
    CHECK(holds);
}
