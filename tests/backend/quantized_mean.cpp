// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/quantized_mean.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;
using inlay_test::whole_region;

namespace {

node_id byte(small_graph& t, std::uint8_t value) { return t.constant(tensor::scalar(value)); }
node_id numbers(small_graph& t, std::vector<std::int64_t> extents, float scale = 0.5f) {
    const tensor_type type(element_type::uint8, shape(extents.begin(), extents.end()));
    return t.call("onnx.DequantizeLinear", {t.input_of(type), t.scalar(scale), byte(t, 9)});
}
whole_region quantized(small_graph& t, node_id y) {
    return whole_region(t.finish(t.call("onnx.QuantizeLinear", {y, t.scalar(0.25f), byte(t, 7)})));
}
std::string why_not(const whole_region& r) { return detail::quantized_mean::read(r.view()).failure().message; }

}  // namespace

TEST_CASE("a mean over windows is read with its axes, its steps, and what it counts") {
    for (const std::int64_t counts_pads : {0, 1}) {
        small_graph t;
        const attribute_map how{{"kernel_shape", std::vector<std::int64_t>{3, 2}},
                                {"pads", std::vector<std::int64_t>{1, 0, 1, 0}},
                                {"strides", std::vector<std::int64_t>{2, 1}},
                                {"count_include_pad", counts_pads}};
        const whole_region r = quantized(t, t.call("onnx.AveragePool", {numbers(t, {1, 4, 7, 6})}, how));
        const auto read = detail::quantized_mean::read(r.view());
        REQUIRE_MESSAGE(read.has_value(), read.failure().message);
        CHECK(read->x.value == 0);
        CHECK(read->x.scale == 0.5f);
        CHECK(read->y.zero == 7);
        CHECK(read->axes.y.taps == 3);
        CHECK(read->axes.y.stride == 2);
        CHECK(read->axes.x.out == 5);
        CHECK(read->counted == (counts_pads == 1 ? 6 : 0));
        CHECK_FALSE(read->is_global);
    }
}

TEST_CASE("a mean over whole images is one window, however it is spelled") {
    for (const bool is_reduction : {false, true}) {
        small_graph t;
        const node_id x = numbers(t, {2, 4, 7, 6});
        const node_id y = is_reduction ? t.call("onnx.ReduceMean", {x, t.integers({3, 2})}, {{"keepdims", std::int64_t{0}}})
                                       : t.call("onnx.GlobalAveragePool", {x});
        const whole_region r = quantized(t, y);
        const auto read = detail::quantized_mean::read(r.view());
        REQUIRE_MESSAGE(read.has_value(), read.failure().message);
        CHECK(read->is_global);
        CHECK(read->axes.y.taps == 7);
        CHECK(read->axes.x.taps == 6);
        CHECK(read->axes.x.out == 1);
    }
}

TEST_CASE("other regions are refused with what stands in them") {
    small_graph t;
    CHECK(why_not(quantized(t, t.call("onnx.GlobalAveragePool", {t.input({1, 2, 3, 3})}))) ==
          "it is no mean between DequantizeLinear of an input and QuantizeLinear");
    small_graph u;
    CHECK(why_not(quantized(u, u.call("onnx.GlobalAveragePool", {numbers(u, {1, 2, 3, 3, 3})}))) ==
          "only windows of one or two axes are computed");
    small_graph v;
    CHECK(why_not(quantized(v, v.call("onnx.GlobalMaxPool", {numbers(v, {1, 2, 3, 3})}))) ==
          "onnx.GlobalMaxPool is no mean over all spatial axes and no others");
    small_graph w;
    CHECK(why_not(quantized(w, w.call("onnx.GlobalAveragePool", {numbers(w, {1, 2, 3, 3}, 1e-20f)}))) ==
          "a scale is not between 1e-15 and 1e15");
    small_graph z;
    CHECK(why_not(quantized(z, z.call("onnx.GlobalAveragePool", {numbers(z, {1, 1, 2000, 1000})}))) ==
          "a mean of more than a million numbers");
}
