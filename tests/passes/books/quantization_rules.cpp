// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/books/quantization_rules.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/passes/infer_call.hpp>
#include <inlay/passes/infer_types.hpp>
#include <inlay/rewrite/rewrite.hpp>

using namespace inlay;

namespace {

/// A convolution, a pooling, a concatenation and a product, as quantisers write them.
struct quantised_model {
    bool has_relu = true;
    std::uint8_t zero = 0;                         // of what the convolution gives
    float bias_scale = 0.0002f;                    // what sums of products come in
    float second_scale = 0.05f, joined_scale = 0;  // 0: the second one  // of what is pooled

    [[nodiscard]] ir_module make() const {
        ir_builder b;
        b.open_block();
        const node_id x[] = {b.input("x", tensor_type(element_type::float32, {1, 2, 6, 6}))};
        const auto number = [&](auto v) { return b.constant(tensor::scalar(v)); };
        const auto steps = [&](node_id n, node_id s, node_id z) {
            return b.call("onnx.DequantizeLinear", {b.call("onnx.QuantizeLinear", {n, s, z}), s, z});
        };
        const node_id in = steps(x[0], number(0.02f), number(std::uint8_t{128}));
        std::vector<std::int8_t> weights;
        for (int i = 0; i < 3 * 2 * 3 * 3; ++i) weights.push_back(static_cast<std::int8_t>((i * 37) % 255 - 127));
        const node_id w = b.call("onnx.DequantizeLinear",
                                 {b.constant(tensor::of<std::int8_t>({3, 2, 3, 3}, weights)), number(0.01f), number(std::int8_t{0})});
        const node_id bias =
            b.call("onnx.DequantizeLinear", {b.constant(tensor::of<std::int32_t>({3}, {40, -50, 600})), number(bias_scale)});
        node_id y = b.call("onnx.Conv", {in, w, bias}, {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}});
        if (has_relu) y = b.call("onnx.Relu", {y});
        const node_id s = number(0.05f), z = number(zero);
        y = steps(y, s, z);
        node_id pooled =
            b.call("onnx.MaxPool", {y}, {{"kernel_shape", std::vector<std::int64_t>{2, 2}}, {"strides", std::vector<std::int64_t>{2, 2}}});
        pooled = steps(pooled, number(second_scale), number(zero));
        const node_id both = steps(b.call("onnx.Concat", {pooled, pooled}, {{"axis", std::int64_t{1}}}),
                                   number(joined_scale == 0 ? second_scale : joined_scale), number(zero));
        const node_id flat = steps(b.call("onnx.Reshape", {both, b.constant(tensor::of<std::int64_t>({2}, {6, 9}))}),
                                   number(joined_scale == 0 ? second_scale : joined_scale), number(zero));
        std::vector<std::int8_t> matrix;
        for (int i = 0; i < 9 * 4; ++i) matrix.push_back(static_cast<std::int8_t>((i * 29) % 255 - 127));
        const node_id m =
            b.call("onnx.DequantizeLinear", {b.constant(tensor::of<std::int8_t>({9, 4}, matrix)), number(0.02f), number(std::int8_t{0})});
        const node_id last = number(0.25f), last_zero = number(std::int8_t{3});
        b.declare(b.function(x, steps(b.call("onnx.MatMul", {flat, m}), last, last_zero), "main"));
        auto typed = infer_types(b.finish());
        if (!typed) FAIL(typed.failure().message);
        return *std::move(typed);
    }
};

std::size_t count_of(const ir_module& m, std::string_view op) {
    std::size_t count = 0;
    std::vector<char> read(m.size(), 0);
    for (const node_id n : m.results()) read[n] = 1;
    for (node_id n = static_cast<node_id>(m.size()); n-- > 0;)
        if (read[n] != 0)
            for (std::size_t i = 0; i < m.arity(n); ++i) read[m.operand(n, i)] = 1;
    for (node_id n = 0; n < m.size(); ++n) count += read[n] != 0 && m.kind(n) == node_kind::call && m.op(n) == op ? 1 : 0;
    return count;
}

ir_module integers_of_model(const ir_module& m) {
    rewrite_options options;
    options.infer = &infer_call<onnx_ops>;
    return std::move(rewrite(m, quantization_rules(), options).graph);
}

}  // namespace

TEST_CASE("what quantisers write is operators on the steps, at most one step off [quantization.rules]") {
    const ir_module m = quantised_model{}.make(), made = integers_of_model(m);
    CHECK(count_of(made, "onnx.QLinearConv") == 1);
    CHECK(count_of(made, "onnx.QLinearMatMul") == 1);
    CHECK(count_of(made, "onnx.Conv") == 0);
    CHECK(count_of(made, "onnx.MatMul") == 0);
    CHECK(count_of(made, "onnx.Relu") == 0);
    CHECK(count_of(made, "onnx.QuantizeLinear") == 1);
    CHECK(count_of(made, "onnx.DequantizeLinear") == 1);
    std::vector<tensor> inputs{tensor(element_type::float32, {1, 2, 6, 6})};
    float v = 0;
    for (float& one : inputs[0].as<float>()) one = v = v > 1.8f ? v - 3.7f : v + 0.37f;
    const auto before = interpret(m, inputs), after = interpret(made, inputs);
    REQUIRE(before);
    REQUIRE(after);
    std::size_t off = 0;
    for (std::size_t i = 0; i < (*before)[0].count(); ++i) {
        const float difference = std::fabs((*before)[0].as<float>()[i] - (*after)[0].as<float>()[i]);
        CHECK(difference <= 0.2501f);
        off += difference > 0.1f ? 1 : 0;
    }
    CHECK(off <= 2);
}

TEST_CASE("parts of a concatenation come to the steps of the whole one by one [quantization.rules]") {
    const ir_module m = quantised_model{.joined_scale = 0.04f}.make(), made = integers_of_model(m);
    CHECK(count_of(made, "onnx.QLinearMatMul") == 1);
    std::size_t joined = 0;
    for (node_id n = 0; n < made.size(); ++n)
        if (made.kind(n) == node_kind::call && made.op(n) == "onnx.Concat" && made.type(n).of_tensor.element == element_type::uint8) {
            ++joined;
            for (std::size_t i = 0; i < made.arity(n); ++i) CHECK(made.op(made.operand(n, i)) == "onnx.QuantizeLinear");
        }
    CHECK(joined == 1);
    std::vector<tensor> inputs{tensor(element_type::float32, {1, 2, 6, 6})};
    float v = 0;
    for (float& one : inputs[0].as<float>()) one = v = v > 1.8f ? v - 3.7f : v + 0.37f;
    const auto before = interpret(m, inputs), after = interpret(made, inputs);
    REQUIRE(before);
    REQUIRE(after);
    for (std::size_t i = 0; i < (*before)[0].count(); ++i)
        CHECK(std::fabs((*before)[0].as<float>()[i] - (*after)[0].as<float>()[i]) <= 0.2501f);
}

namespace {

/// A Gemm of bytes by weights that have a scale for each column of the result.
ir_module quantised_gemm(bool trans_b, bool has_bias, bool has_relu, double alpha = 1) {
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", tensor_type(element_type::uint8, {3, 5}))};
    const auto number = [&](auto v) { return b.constant(tensor::scalar(v)); };
    const node_id zero = number(std::uint8_t{0});
    const node_id in = b.call("onnx.DequantizeLinear", {x[0], number(0.5f), number(std::uint8_t{9})});
    std::vector<std::int8_t> weights;
    for (int i = 0; i < 20; ++i) weights.push_back(static_cast<std::int8_t>((i * 37) % 255 - 127));
    const std::vector<float> scales{0.25f, 0.5f, 0.125f, 1};
    std::vector<float> bias_scales;
    for (const float s : scales) bias_scales.push_back(0.5f * s);
    const node_id w =
        b.call("onnx.DequantizeLinear",
               {b.constant(tensor::of<std::int8_t>(trans_b ? std::vector<std::int64_t>{4, 5} : std::vector<std::int64_t>{5, 4}, weights)),
                b.constant(tensor::of<float>({4}, scales))},
               {{"axis", std::int64_t{trans_b ? 0 : 1}}});
    const node_id bias =
        b.call("onnx.DequantizeLinear",
               {b.constant(tensor::of<std::int32_t>({4}, {40, -50, 600, 7})), b.constant(tensor::of<float>({4}, bias_scales))},
               {{"axis", std::int64_t{0}}});
    const attribute_map how{{"transB", std::int64_t{trans_b}}, {"alpha", alpha}};
    node_id y = has_bias ? b.call("onnx.Gemm", {in, w, bias}, how) : b.call("onnx.Gemm", {in, w}, how);
    if (has_relu) y = b.call("onnx.Relu", {y});
    b.declare(b.function(x, b.call("onnx.QuantizeLinear", {y, number(16.0f), zero}), "main"));
    auto typed = infer_types(b.finish());
    if (!typed) FAIL(typed.failure().message);
    return *std::move(typed);
}

}  // namespace

TEST_CASE("a Gemm of bytes is a convolution of images of one place [quantization.rules]") {
    for (const bool trans_b : {false, true})
        for (const bool has_bias : {false, true})
            for (const bool has_relu : {false, true}) {
                CAPTURE(trans_b);
                CAPTURE(has_bias);
                CAPTURE(has_relu);
                const ir_module m = quantised_gemm(trans_b, has_bias, has_relu), made = integers_of_model(m);
                CHECK(count_of(made, "onnx.QLinearConv") == 1);
                CHECK(count_of(made, "onnx.Gemm") == 0);
                std::vector<tensor> inputs{tensor(element_type::uint8, {3, 5})};
                for (std::size_t i = 0; i < 15; ++i) inputs[0].as<std::uint8_t>()[i] = static_cast<std::uint8_t>(i * 91);
                const auto before = interpret(m, inputs), after = interpret(made, inputs);
                REQUIRE(before);
                REQUIRE(after);
                REQUIRE((*after)[0].extents() == (*before)[0].extents());
                // All scales are powers of two: the sums of float32 are exact.
                for (std::size_t i = 0; i < (*before)[0].count(); ++i)
                    CHECK((*before)[0].as<std::uint8_t>()[i] == (*after)[0].as<std::uint8_t>()[i]);
            }
    CHECK(count_of(integers_of_model(quantised_gemm(true, true, false, 2)), "onnx.Gemm") == 1);
}

TEST_CASE("what would mean something else stays as it is [quantization.rules]") {
    CHECK(count_of(integers_of_model(quantised_model{.zero = 9}.make()), "onnx.QLinearConv") == 0);  // cutting to the range is no Relu
    CHECK(count_of(integers_of_model(quantised_model{.has_relu = false, .zero = 9}.make()), "onnx.QLinearConv") == 1);
    CHECK(count_of(integers_of_model(quantised_model{.bias_scale = 0.001f}.make()), "onnx.QLinearConv") == 0);
    const ir_module other = integers_of_model(quantised_model{.second_scale = 0.04f}.make());
    CHECK(count_of(other, "onnx.QuantizeLinear") == 2);  // the pooling changes its scale
    CHECK(count_of(other, "onnx.QLinearMatMul") == 1);
}

namespace {

/// Whether a Gemm of bytes whose result is square becomes a quantised product, by the extents of its bias and the scales of its weights.
bool joins_bias(std::vector<std::int64_t> extents, std::vector<float> scales) {
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", tensor_type(element_type::uint8, {4, 5}))};
    const auto number = [&](auto v) { return b.constant(tensor::scalar(v)); };
    const node_id in = b.call("onnx.DequantizeLinear", {x[0], number(0.5f), number(std::uint8_t{9})});
    const std::vector<std::int8_t> weights(20, 3);
    const node_id scale = scales.size() == 1 ? number(scales[0]) : b.constant(tensor::of<float>({4}, scales));
    const node_id w =
        b.call("onnx.DequantizeLinear", {b.constant(tensor::of<std::int8_t>({5, 4}, weights)), scale}, {{"axis", std::int64_t{1}}});
    const node_id bias = b.call("onnx.DequantizeLinear", {b.constant(tensor::of<std::int32_t>(extents, {40, -50, 600, 7})), number(0.125f)},
                                {{"axis", std::int64_t{0}}});
    const node_id y = b.call("onnx.Gemm", {in, w, bias});
    b.declare(b.function(x, b.call("onnx.QuantizeLinear", {y, number(16.0f), number(std::uint8_t{0})}), "main"));
    auto typed = infer_types(b.finish());
    if (!typed) FAIL(typed.failure().message);
    return count_of(integers_of_model(*typed), "onnx.QLinearConv") == 1;
}

}  // namespace

TEST_CASE("a bias of a quantised product lies along its columns, in the steps of each column [graph.broadcast.axes]") {
    CHECK(joins_bias({4}, {0.25f}));
    CHECK(joins_bias({1, 4}, {0.25f}));
    CHECK_FALSE(joins_bias({4, 1}, {0.25f}));
    CHECK(joins_bias({4}, {0.25f, 0.25f, 0.25f, 0.25f}));
    CHECK_FALSE(joins_bias({4}, {0.25f, 0.5f, 0.25f, 0.25f}));
}
