// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/byte_function.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include "small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;
using inlay_test::whole_region;

namespace {

node_id byte(small_graph& t, std::uint8_t value) { return t.constant(tensor::scalar(value)); }
node_id input(small_graph& t) { return t.input_of(tensor_type(element_type::uint8, {2, 3})); }

}  // namespace

TEST_CASE("what each byte becomes is what the operators say") {
    small_graph t;
    const node_id x = t.call("onnx.DequantizeLinear", {input(t), t.scalar(0.5f), byte(t, 100)});
    const whole_region r(
        t.finish(t.call("onnx.QuantizeLinear", {t.call("onnx.Abs", {x}), t.scalar(1), t.constant(tensor::scalar(std::int8_t{-3}))})));
    const auto becomes = detail::byte_function_of(r.view());
    REQUIRE_MESSAGE(becomes.has_value(), becomes.failure().message);
    CHECK((*becomes)[100] == 0xFD);
    CHECK((*becomes)[104] == 0xFF);
    CHECK((*becomes)[96] == 0xFF);
    CHECK((*becomes)[101] == 0xFD);  // a half goes to the even one
    CHECK((*becomes)[255] == 75);
}

TEST_CASE("what is no function of each byte is refused with its reason") {
    small_graph t;
    const whole_region two(t.finish(t.call("onnx.Add", {input(t), input(t)})));
    CHECK(detail::byte_function_of(two.view()).failure().message == "it is no function of one tensor");
    small_graph u;
    const node_id x = u.call("onnx.DequantizeLinear", {input(u), u.scalar(0.5f), byte(u, 100)});
    const whole_region soft(u.finish(u.call("onnx.QuantizeLinear", {u.call("onnx.Softmax", {x}), u.scalar(1), byte(u, 0)})));
    CHECK(detail::byte_function_of(soft.view()).failure().message == "onnx.Softmax is not done element by element");
    small_graph v;
    const whole_region open(v.finish(v.call("onnx.DequantizeLinear", {input(v), v.scalar(0.5f), byte(v, 100)})));
    CHECK(detail::byte_function_of(open.view()).failure().message == "the result is none of bytes");
    small_graph w;
    const node_id z = w.call("onnx.DequantizeLinear", {input(w), w.scalar(0.5f), byte(w, 100)});
    const whole_region several(w.finish(w.call("onnx.QuantizeLinear", {w.call("onnx.Mul", {z, w.random({3})}), w.scalar(1), byte(w, 0)})));
    CHECK(detail::byte_function_of(several.view()).failure().message == "a constant of type float32[3] is not one number");
}
