// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/quantized_elementwise.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "take_bytes.hpp"

using namespace inlay;
using namespace cpu_simd_test;

namespace {

extents some_shape(picker& pick) {
    extents shape;
    for (std::int64_t rank = pick(1, 4); rank > 0; --rank) shape.push_back(pick(1, 9));
    return shape;
}
node_id zero(picker& pick, small_graph& t, bool is_signed) { return t.constant(some_bytes(pick, {}, is_signed)); }
float scale(picker& pick) { return static_cast<float>(pick(1, 60)) / 700; }

/// A function of one tensor of bytes or two, and numbers for them.
struct combination {
    ir_module program;
    std::vector<tensor> inputs;
};
combination some(picker& pick, const extents& shape) {
    small_graph t;
    combination made;
    std::vector<node_id> numbers;
    const std::int64_t kind = pick(0, 4), operands = kind == 0 ? 1 : 2;
    const bool is_twice = operands == 2 && pick(0, 5) == 0;
    for (std::int64_t i = 0; i < (is_twice ? 1 : operands); ++i) {
        const bool is_signed = pick(0, 1) == 0;
        const node_id x =
            t.input_of(tensor_type(is_signed ? element_type::int8 : element_type::uint8, inlay::shape(shape.begin(), shape.end())));
        numbers.push_back(t.call("onnx.DequantizeLinear", {x, t.scalar(scale(pick)), zero(pick, t, is_signed)}));
        made.inputs.push_back(some_bytes(pick, shape, is_signed));
    }
    if (is_twice) numbers.push_back(numbers[0]);
    constexpr const char* names[] = {"", "onnx.Add", "onnx.Sum", "onnx.Sub", "onnx.Mul"};
    node_id y = kind == 0 ? numbers[0] : t.call(names[kind], {numbers[0], numbers[1]});
    if (pick(0, 2) == 0) y = t.call("onnx.Relu", {y});
    if (pick(0, 2) == 0 && kind != 0) y = t.call("onnx.Clip", {t.call("onnx.Relu", {numbers[0]}), t.scalar(-0.7f), t.scalar(4)});
    const bool is_signed = pick(0, 1) == 0;
    made.program = t.finish(t.call("onnx.QuantizeLinear", {y, t.scalar(scale(pick)), zero(pick, t, is_signed)}));
    return made;
}

std::string why_not_between(const char* op, const extents& other, float y_scale) {
    small_graph t;
    const auto number = [&](const extents& shape) {
        return t.call("onnx.DequantizeLinear", {t.input_of(tensor_type(element_type::uint8, inlay::shape(shape.begin(), shape.end()))),
                                                t.scalar(0.5f), t.constant(tensor::scalar(std::uint8_t{3}))});
    };
    const node_id y = t.call(op, {number({2, 3}), number(other)});
    return why_not(t.finish(t.call("onnx.QuantizeLinear", {y, t.scalar(y_scale), t.constant(tensor::scalar(std::uint8_t{3}))})));
}

}  // namespace

TEST_CASE("functions of bytes as numbers give the interpreter's bytes") {
    for (unsigned seed = 1; seed <= 150; ++seed) {
        CAPTURE(seed);
        picker pick{std::mt19937(seed)};
        const combination c = some(pick, some_shape(pick));
        const sized_match match = largest_match(cpu_simd(), c.program);
        // A range of one operand that stands beside the sum leaves the other one without a reader.
        if (!match.ways.empty() && match.ways[0].view().input_count == c.inputs.size()) (void)expect_bytes(c.program, c.inputs);
    }
}

TEST_CASE("every byte of a table and every pair of bytes of a sum is right") {
    picker pick{std::mt19937(3)};
    tensor all(element_type::uint8, {256, 256}), other(element_type::int8, {256, 256});
    for (std::size_t i = 0; i < 65536; ++i) {
        all.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(i % 256);
        other.as<std::int8_t>()[i] = static_cast<std::int8_t>(static_cast<int>(i / 256) - 128);
    }
    for (int times = 0; times < 3; ++times) {
        small_graph t;
        const node_id a = t.input_of(tensor_type(element_type::uint8, {256, 256})),
                      b = t.input_of(tensor_type(element_type::int8, {256, 256}));
        const node_id x = t.call("onnx.DequantizeLinear", {a, t.scalar(scale(pick)), zero(pick, t, false)});
        const node_id z = t.call("onnx.DequantizeLinear", {b, t.scalar(scale(pick)), zero(pick, t, true)});
        CHECK(
            expect_bytes(t.finish(t.call("onnx.QuantizeLinear", {t.call("onnx.Add", {x, z}), t.scalar(scale(pick)), zero(pick, t, true)})),
                         {all, other}) >= 1);
        small_graph u;
        const node_id c = u.input_of(tensor_type(element_type::int8, {256, 256}));
        const node_id v = u.call("onnx.DequantizeLinear", {c, u.scalar(scale(pick)), zero(pick, u, true)});
        CHECK(expect_bytes(u.finish(u.call("onnx.QuantizeLinear", {v, u.scalar(scale(pick)), zero(pick, u, false)})), {other}) >= 1);
    }
}

TEST_CASE("a tensor of one place for each image is combined with all places") {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        picker pick{std::mt19937(seed)};
        const extents whole{pick(1, 3), pick(1, 40), pick(2, 5), pick(1, 5)}, one{whole[0], whole[1], 1, 1};
        small_graph t;
        const bool is_first = pick(0, 1) == 0;
        std::vector<node_id> numbers;
        std::vector<tensor> inputs;
        for (const extents& e : {is_first ? one : whole, is_first ? whole : one}) {
            inputs.push_back(some_bytes(pick, e, true));
            const node_id x = t.input_of(tensor_type(element_type::int8, shape(e.begin(), e.end())));
            numbers.push_back(t.call("onnx.DequantizeLinear", {x, t.scalar(scale(pick)), zero(pick, t, true)}));
        }
        const node_id y = t.call(pick(0, 1) == 0 ? "onnx.Mul" : "onnx.Sub", {numbers[0], numbers[1]});
        CHECK(expect_bytes(t.finish(t.call("onnx.QuantizeLinear", {y, t.scalar(scale(pick)), zero(pick, t, false)})), inputs) >= 1);
    }
}

TEST_CASE("other functions of one tensor are tables, gates of itself among them") {
    picker pick{std::mt19937(4)};
    for (const char* op : {"onnx.Sigmoid", "onnx.Tanh", "onnx.HardSwish", "onnx.Gelu", "onnx.Sqrt"})
        for (const bool is_gate : {false, true}) {
            CAPTURE(op);
            CAPTURE(is_gate);
            small_graph t;
            const node_id in = t.input_of(tensor_type(element_type::uint8, {2, 3, 8, 17}));
            const node_id x = t.call("onnx.DequantizeLinear", {in, t.scalar(scale(pick)), zero(pick, t, false)});
            node_id y = t.call(op, {x});
            if (is_gate) {
                const node_id s = t.scalar(scale(pick)), z = zero(pick, t, false);
                y = t.call("onnx.Mul", {x, t.call("onnx.DequantizeLinear", {t.call("onnx.QuantizeLinear", {y, s, z}), s, z})});
            }
            CHECK(expect_bytes(t.finish(t.call("onnx.QuantizeLinear", {y, t.scalar(scale(pick)), zero(pick, t, true)})),
                               {some_bytes(pick, {2, 3, 8, 17}, false)}) >= 2);
        }
}

TEST_CASE("what is no such function is refused with its reason") {
    CHECK(why_not_between("onnx.Add", {2, 3}, 0.5f).empty());
    CHECK(why_not_between("onnx.Add", {3}, 0.5f) == "a tensor of type uint8[3] is stretched");
    CHECK(why_not_between("onnx.Mul", {2, 3}, 0) == "a scale is not between 1e-15 and 1e15");
}
