// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/quantized_combination.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include "small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;
using inlay_test::whole_region;

namespace {

node_id byte(small_graph& t, std::uint8_t value) { return t.constant(tensor::scalar(value)); }
node_id numbers(small_graph& t, float scale) {
    return t.call("onnx.DequantizeLinear", {t.input_of(tensor_type(element_type::uint8, {4})), t.scalar(scale), byte(t, 9)});
}
whole_region quantized(small_graph& t, node_id y) {
    return whole_region(t.finish(t.call("onnx.QuantizeLinear", {y, t.scalar(0.25f), byte(t, 7)})));
}
using form = detail::quantized_combination::form;

}  // namespace

TEST_CASE("a sum between numbers and steps is read with its scales and its range") {
    small_graph t;
    const node_id a = numbers(t, 0.5f), b = numbers(t, 2);
    const whole_region r = quantized(t, t.call("onnx.Relu", {t.call("onnx.Sub", {b, a})}));
    const auto read = detail::quantized_combination::read(r.view());
    REQUIRE_MESSAGE(read.has_value(), read.failure().message);
    CHECK(read->function == form::subtract);
    CHECK(read->a.scale == 2);
    CHECK(read->b.scale == 0.5f);
    CHECK(read->a.value != read->b.value);
    CHECK(read->a.zero == 9);
    CHECK(read->y.scale == 0.25f);
    CHECK(read->y.zero == 7);
    CHECK(read->range.low == 0);
}

TEST_CASE("nothing at all, or a range alone, is a function of one operand") {
    small_graph t;
    const whole_region r = quantized(t, numbers(t, 0.5f));
    const auto read = detail::quantized_combination::read(r.view());
    REQUIRE_MESSAGE(read.has_value(), read.failure().message);
    CHECK(read->function == form::first);
    CHECK(read->b.value == read->a.value);
    small_graph u;
    const whole_region range = quantized(u, u.call("onnx.Clip", {numbers(u, 1), u.scalar(1), u.scalar(2)}));
    const auto cut = detail::quantized_combination::read(range.view());
    REQUIRE_MESSAGE(cut.has_value(), cut.failure().message);
    CHECK(cut->function == form::first);
    CHECK(cut->range.high == 2);
}

TEST_CASE("other regions are refused with what stands in them") {
    small_graph t;
    const whole_region tanh = quantized(t, t.call("onnx.Tanh", {numbers(t, 1)}));
    CHECK(detail::quantized_combination::read(tanh.view()).failure().message == "onnx.Tanh between DequantizeLinear and QuantizeLinear");
    small_graph u;
    const whole_region constant = quantized(u, u.call("onnx.Add", {numbers(u, 1), u.random({4})}));
    CHECK(detail::quantized_combination::read(constant.view()).failure().message ==
          "onnx.Add has an operand that is no DequantizeLinear of an input");
    small_graph v;
    const whole_region behind = quantized(v, v.call("onnx.Tanh", {v.call("onnx.Relu", {numbers(v, 1)})}));
    CHECK(detail::quantized_combination::read(behind.view()).failure().message == "onnx.Tanh behind onnx.Relu is none of Relu and Clip");
    small_graph w;
    const whole_region open(w.finish(w.call("onnx.Relu", {numbers(w, 1)})));
    CHECK(detail::quantized_combination::read(open.view()).failure().message == "what leaves the region is no QuantizeLinear");
}
