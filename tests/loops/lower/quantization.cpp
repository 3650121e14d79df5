// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/quantization.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "lowered_alike.hpp"

using namespace inlay;

namespace {

template <class T>
tensor bytes(const std::vector<std::int64_t>& extents, int low = -128, int high = 128) {
    std::int64_t count = 1;
    for (const std::int64_t e : extents) count *= e;
    std::vector<T> values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<T>(*rc::gen::inRange(low, high)));
    return tensor::of<T>(extents, values);
}

}  // namespace

TEST_CASE("quantised products and what leads to them are nests that give the same bytes [loops.lower.quantized]") {
    const bool holds = rc::check([] {
        const auto n = [] { return *rc::gen::inRange<std::int64_t>(1, 5); };
        const std::int64_t rows = n(), depth = n(), columns = n(), group = *rc::gen::element<std::int64_t>(1, 2);
        const bool per_channel = *rc::gen::arbitrary<bool>();
        const tensor scale = tensor::scalar(0.03f), zero = tensor::scalar(static_cast<std::int8_t>(*rc::gen::inRange(-9, 10)));
        const auto scales = [&](std::int64_t count) {
            tensor s(element_type::float32, per_channel ? std::vector{count} : std::vector<std::int64_t>{});
            for (float& v : s.as<float>()) v = static_cast<float>(*rc::gen::inRange(1, 50)) / 500;
            return s;
        };
        RC_ASSERT(lowered::difference(
                      {bytes<std::int8_t>({rows, depth}), bytes<std::int8_t>({depth, columns})},
                      [&](ir_builder& g, const std::vector<node_id>& in) {
                          return g.call("onnx.QLinearMatMul",
                                        {in[0], g.constant(scale), g.constant(zero), in[1], g.constant(scales(columns)), g.constant(zero),
                                         g.constant(scale), g.constant(zero)});
                      },
                      nullptr, 0) == "");
        const std::int64_t filters = group * n();
        const tensor image = bytes<std::uint8_t>({1, 2 * group, 4, 5}, 0, 256), weights = bytes<std::int8_t>({filters, 2, 2, 3});
        const attribute_map how{{"pads", std::vector<std::int64_t>{1, 0, 1, 2}}, {"group", group}};
        RC_ASSERT(lowered::difference(
                      {image, weights},
                      [&](ir_builder& g, const std::vector<node_id>& in) {
                          return g.call("onnx.ConvInteger", {in[0], in[1], g.constant(tensor::scalar(std::uint8_t{9}))}, how);
                      },
                      nullptr, 0) == "");
        RC_ASSERT(lowered::difference(
                      {image, weights, bytes<std::int32_t>({filters}, -999, 999)},
                      [&](ir_builder& g, const std::vector<node_id>& in) {
                          return g.call(
                              "onnx.QLinearConv",
                              {in[0], g.constant(scale), g.constant(tensor::scalar(std::uint8_t{9})), in[1], g.constant(scales(filters)),
                               g.constant(zero), g.constant(scale), g.constant(tensor::scalar(std::uint8_t{100})), in[2]},
                              how);
                      },
                      nullptr, 0) == "");
        RC_ASSERT(lowered::difference(
                      {lowered::random_floats({2, 3, 2})},
                      [&](ir_builder& g, const std::vector<node_id>& in) {
                          const node_id s = g.constant(scales(3));
                          return g.call("onnx.DequantizeLinear",
                                        {g.call("onnx.QuantizeLinear", {in[0], s, g.constant(zero)}), s, g.constant(zero)});
                      },
                      nullptr, 0) == "");
        RC_ASSERT(lowered::difference(
                      {bytes<std::int32_t>({3, 2}, -99999, 99999)},
                      [&](ir_builder& g, const std::vector<node_id>& in) {
                          return g.call("onnx.DequantizeLinear", {in[0], g.constant(scale)});
                      },
                      nullptr, 0) == "");
    });
    CHECK(holds);
}
