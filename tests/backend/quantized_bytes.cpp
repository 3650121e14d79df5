// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/quantized_bytes.hpp>

#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include "small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;
using inlay_test::whole_region;

TEST_CASE("bytes are read with their scale and zero point, which is 0 where there is none") {
    small_graph t;
    const node_id x = t.input_of(tensor_type(element_type::int8, {4}));
    const whole_region with(t.finish(t.call("onnx.DequantizeLinear", {x, t.scalar(0.5f), t.constant(tensor::scalar(std::int8_t{-7}))})));
    const auto read = detail::quantized_bytes_of(with.view(), with.view()[with.view().results[0]]);
    REQUIRE_MESSAGE(read.has_value(), read.failure().message);
    CHECK(read->value == 0);
    CHECK(read->scale == 0.5f);
    CHECK(read->zero == -7);
    small_graph u;
    const whole_region without(
        u.finish(u.call("onnx.DequantizeLinear", {u.input_of(tensor_type(element_type::uint8, {4})), u.scalar(0.5f)})));
    const auto centred = detail::quantized_bytes_of(without.view(), without.view()[without.view().results[0]]);
    REQUIRE_MESSAGE(centred.has_value(), centred.failure().message);
    CHECK(centred->zero == 0);
}

TEST_CASE("steps that the run decides, or of each channel, are refused") {
    small_graph t;
    const node_id x = t.input_of(tensor_type(element_type::int8, {4}));
    const whole_region open(t.finish(t.call("onnx.DequantizeLinear", {x, t.input({})})));
    CHECK(detail::quantized_bytes_of(open.view(), open.view()[open.view().results[0]]).failure().message ==
          "scales or zero points are not known before the run");
    small_graph u;
    const node_id v = u.input_of(tensor_type(element_type::int8, {2, 3}));
    const whole_region each(u.finish(u.call("onnx.DequantizeLinear", {v, u.random({3}, 0.1f, 1)}, {{"axis", std::int64_t{1}}})));
    CHECK(detail::quantized_bytes_of(each.view(), each.view()[each.view().results[0]]).failure().message ==
          "the processor has one scale for a whole tensor");
}

TEST_CASE("scales that make no ordinary numbers are known as such") {
    detail::quantized_bytes b;
    for (const float s : {1.0f, -0.5f, 1e-15f, 1e15f}) {
        b.scale = s;
        CHECK(b.has_ordinary_scale());
    }
    for (const float s : {0.0f, 1e-16f, 1e16f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        b.scale = s;
        CHECK_FALSE(b.has_ordinary_scale());
    }
}
