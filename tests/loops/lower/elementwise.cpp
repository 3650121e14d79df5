// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/elementwise.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "lowered_alike.hpp"

using namespace inlay;

TEST_CASE("functions of one tensor come out of a nest as out of the interpreter [loops.lower.unary]") {
    for (const char* op : {"Abs",
                           "Neg",
                           "Exp",
                           "Sin",
                           "Cos",
                           "Tanh",
                           "Erf",
                           "Floor",
                           "Ceil",
                           "Round",
                           "Relu",
                           "LeakyRelu",
                           "Elu",
                           "Selu",
                           "Sigmoid",
                           "HardSigmoid",
                           "HardSwish",
                           "Softplus",
                           "Gelu",
                           "Identity",
                           "Log",
                           "Sqrt",
                           "Reciprocal",
                           "Tan",
                           "Asin",
                           "Acos",
                           "Atan",
                           "Sinh",
                           "Cosh",
                           "Asinh",
                           "Acosh",
                           "Atanh",
                           "Celu",
                           "Mish",
                           "Shrink",
                           "Softsign",
                           "ThresholdedRelu",
                           "Sign"}) {
        CAPTURE(op);
        const bool holds = rc::check([&] {
            const std::string name = op;
            const tensor x =
                lowered::random_floats({2, *rc::gen::inRange<std::int64_t>(1, 6)}, name == "Log" || name == "Sqrt" || name == "Reciprocal");
            RC_ASSERT(lowered::difference(
                          {x}, [&](ir_builder& b, const std::vector<node_id>& in) { return b.call("onnx." + name, {in[0]}); }) == "");
        });
        CHECK(holds);
    }
}

TEST_CASE("functions of several tensors broadcast as the interpreter does [loops.lower.binary]") {
    for (const char* op : {"Add", "Sub", "Mul", "Div", "Max", "Min", "PRelu", "Pow", "Sum", "Mean"}) {
        CAPTURE(op);
        const bool holds = rc::check([&] {
            const auto n = *rc::gen::inRange<std::int64_t>(1, 4);
            const std::vector<std::int64_t> shapes[] = {{2, 3, n}, {n}, {3, 1}, {1, 1, n}};
            const tensor x = lowered::random_floats(shapes[0], true),
                         y = lowered::random_floats(shapes[*rc::gen::inRange<std::size_t>(0, 4)], true);
            RC_ASSERT(lowered::difference({x, y}, [&](ir_builder& b, const std::vector<node_id>& in) {
                          return b.call(std::string("onnx.") + op, {in[0], in[1]});
                      }) == "");
        });
        CHECK(holds);
    }
}

TEST_CASE("powers of a base and an exponent of two types come out alike [loops.lower.binary]") {
    const bool holds = rc::check([] {
        const tensor real = lowered::random_floats({2, 3}, true);
        tensor whole(element_type::int32, {2, 3}), wide(element_type::float64, {3});
        for (std::int32_t& v : whole.as<std::int32_t>()) v = *rc::gen::inRange(-9, 10);
        for (double& v : wide.as<double>()) v = *rc::gen::inRange(0, 4);
        const auto power = [](ir_builder& b, const std::vector<node_id>& in) { return b.call("onnx.Pow", {in[0], in[1]}); };
        RC_ASSERT(lowered::difference({real, whole}, power) == "");
        RC_ASSERT(lowered::difference({real, wide}, power) == "");
        RC_ASSERT(lowered::difference({whole, wide}, power) == "");
        const tensor exponent = tensor::of<std::int64_t>({1}, {*rc::gen::inRange<std::int64_t>(0, 17)});
        RC_ASSERT(lowered::difference({whole}, [&](ir_builder& b, const std::vector<node_id>& in) {
                      return b.call("onnx.Pow", {in[0], b.constant(exponent)});
                  }) == "");
    });
    CHECK(holds);
}

TEST_CASE("a power of whole numbers whose exponent is not known, or out of range, says so [loops.lower.binary]") {
    const tensor whole = tensor::of<std::int32_t>({2}, {1, 2});
    CHECK(lowered::difference({whole, whole}, [](ir_builder& b, const std::vector<node_id>& in) {
              return b.call("onnx.Pow", {in[0], in[1]});
          }) == "onnx.Pow: a power of whole numbers whose exponents are not one known number has no loop nest");
    for (const std::int64_t exponent : {std::int64_t{-1}, std::int64_t{17}})
        CHECK(lowered::difference({whole}, [&](ir_builder& b, const std::vector<node_id>& in) {
                  return b.call("onnx.Pow", {in[0], b.constant(tensor::of<std::int64_t>({}, {exponent}))});
              }) == "onnx.Pow: a power of whole numbers has a loop nest for exponents from 0 to 16");
}

TEST_CASE("parameters of activations are kept [loops.lower.unary]") {
    const bool holds = rc::check([] {
        const tensor x = lowered::random_floats({3, 5});
        const auto some = [] { return static_cast<double>(*rc::gen::inRange(1, 17)) / 8; };
        const auto of = [&](const char* op, const attribute_map& how) {
            return lowered::difference({x}, [&](ir_builder& b, const std::vector<node_id>& in) { return b.call(op, {in[0]}, how); });
        };
        RC_ASSERT(of("onnx.Celu", {{"alpha", some()}}) == "");
        RC_ASSERT(of("onnx.ThresholdedRelu", {{"alpha", some()}}) == "");
        RC_ASSERT(of("onnx.Shrink", {{"lambd", some()}, {"bias", some()}}) == "");
    });
    CHECK(holds);
}

TEST_CASE("bits, rests, shifts and signs of whole numbers come out alike [loops.lower.binary]") {
    const auto with_type = [](auto zero) {
        using number = decltype(zero);
        const bool holds = rc::check([&] {
            const auto n = *rc::gen::inRange<std::int64_t>(1, 6);
            const auto some = [&](std::vector<std::int64_t> extents) {
                const auto count = static_cast<std::size_t>(extents[0] * (extents.size() > 1 ? extents[1] : 1));
                std::vector<number> all(count);
                for (number& v : all) v = static_cast<number>(*rc::gen::inRange(std::is_signed_v<number> ? -9 : 0, 10));
                return tensor::of(std::move(extents), all);
            };
            const tensor x = some({3, n}), y = some({n});
            const auto of = [&](const char* op, const attribute_map& how = {}) {
                return lowered::difference({x, y}, [&](ir_builder& b, const std::vector<node_id>& in) {
                    return b.call(op, {in[0], in[1]}, how);
                });
            };
            for (const char* op : {"onnx.BitwiseAnd", "onnx.BitwiseOr", "onnx.BitwiseXor"}) RC_ASSERT(of(op) == "");
            for (const std::int64_t as_in_c : {0, 1}) RC_ASSERT(of("onnx.Mod", {{"fmod", as_in_c}}) == "");
            if (!std::is_signed_v<number>)
                for (const char* to : {"LEFT", "RIGHT"}) RC_ASSERT(of("onnx.BitShift", {{"direction", std::string(to)}}) == "");
            for (const char* op : {"onnx.BitwiseNot", "onnx.Sign"})
                RC_ASSERT(lowered::difference({x}, [&](ir_builder& b, const std::vector<node_id>& in) { return b.call(op, {in[0]}); }) ==
                          "");
        });
        CHECK(holds);
    };
    with_type(std::int32_t{});
    with_type(std::int64_t{});
    with_type(std::int8_t{});
    with_type(std::uint8_t{});
    with_type(std::uint64_t{});
    const bool holds = rc::check([] {
        const tensor x = lowered::random_floats({3, 4}), y = lowered::random_floats({4}, true);
        RC_ASSERT(lowered::difference({x, y}, [&](ir_builder& b, const std::vector<node_id>& in) {
                      return b.call("onnx.Mod", {in[0], in[1]}, {{"fmod", std::int64_t{1}}});
                  }) == "");
    });
    CHECK(holds);
}

TEST_CASE("what is no number, and what has no end, is found alike [loops.lower.choices]") {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const tensor x = tensor::of<float>({6}, std::vector<float>{0, -0.0f, infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), -2});
    const auto of = [&](const char* op, const attribute_map& how = {}) {
        return lowered::difference({x}, [&](ir_builder& b, const std::vector<node_id>& in) { return b.call(op, {in[0]}, how); });
    };
    CHECK(of("onnx.IsNaN") == "");
    CHECK(of("onnx.Sign") == "");
    for (const std::int64_t positive : {0, 1})
        for (const std::int64_t negative : {0, 1})
            CHECK(of("onnx.IsInf", {{"detect_positive", positive}, {"detect_negative", negative}}) == "");
    CHECK(lowered::difference({x}, [](ir_builder& b, const std::vector<node_id>& in) {
              return b.call("onnx.Xor", {b.call("onnx.IsInf", {in[0]}), b.call("onnx.Less", {in[0], b.constant(tensor::scalar(1.0f))})});
          }) == "");
}

TEST_CASE("what passes its operand on does so, with another element type where it is asked for [loops.lower.choices]") {
    const tensor x = tensor::of<float>({2, 3}, std::vector<float>{0, -1.5f, 2.5f, 300, -7, 1});
    const auto like = [](ir_builder& b, const std::vector<node_id>& in) {
        return b.call("onnx.CastLike", {in[0], b.constant(tensor::of<std::int32_t>({3, 1, 1}, std::vector<std::int32_t>{1, 2, 3}))});
    };
    CHECK(lowered::difference({x}, like) == "");
    const auto dropped = [&](bool is_mask, std::optional<bool> training) {
        return lowered::difference({x}, [&](ir_builder& b, const std::vector<node_id>& in) {
            const tensor_type of(element_type::float32, {2, 3}), mask(element_type::boolean, {2, 3});
            std::vector<node_id> given{in[0]};
            if (training) {
                given.push_back(b.constant(tensor::scalar(0.5f)));
                given.push_back(b.constant(tensor::scalar(*training)));
            }
            const node_id both = b.call("onnx.Dropout", given, {}, node_type::tuple({node_type(of), node_type(mask)}));
            return b.projection(both, is_mask ? 1 : 0);
        });
    };
    for (const bool is_mask : {false, true}) {
        CHECK(dropped(is_mask, std::nullopt) == "");
        CHECK(dropped(is_mask, false) == "");
    }
    CHECK(lowered::difference({x, tensor::scalar(false)}, [](ir_builder& b, const std::vector<node_id>& in) {
              return b.call("onnx.Dropout", {in[0], b.constant(tensor::scalar(0.5f)), in[1]});
          }) == "onnx.Dropout: a dropout that may be one of training has no loop nest");
}

TEST_CASE("comparisons, choices and casts come out alike [loops.lower.choices]") {
    for (const char* op : {"Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal"}) {
        CAPTURE(op);
        const bool holds = rc::check([&] {
            const tensor x = lowered::random_floats({3, 4}), y = lowered::random_floats({4});
            RC_ASSERT(
                lowered::difference({x, y}, [&](ir_builder& b, const std::vector<node_id>& in) {
                    const node_id when = b.call("onnx.Not", {b.call(std::string("onnx.") + op, {in[0], in[1]})});
                    return b.call(
                        "onnx.Where",
                        {when, b.call("onnx.Clip", {in[0], b.constant(tensor::scalar(-0.5f)), b.constant(tensor::scalar(0.5f))}), in[1]});
                }) == "");
            RC_ASSERT(lowered::difference({x}, [&](ir_builder& b, const std::vector<node_id>& in) {
                          return b.call("onnx.Cast", {in[0]}, {{"to", std::int64_t{6}}});
                      }) == "");
        });
        CHECK(holds);
    }
}

TEST_CASE("a chain is computed place by place in one stage, each value once [loops.lower.fused]") {
    std::string text;
    const std::string off = lowered::difference(
        {tensor(element_type::float32, {4})},
        [](ir_builder& b, const std::vector<node_id>& in) {
            const node_id x = b.call("onnx.Tanh", {in[0]});
            return b.call("onnx.Mul", {x, b.call("onnx.Sigmoid", {x})});
        },
        &text);
    CHECK(off == "");
    CHECK(text == R"(nest trial {
    input x: float32[4]
    output y: float32[4]
    for i < 4 {
        stack v: float32[1] {
            stack v_1: float32[1] {
                stack v_2: float32[1] {
                    v[0] = tanh(x[i])
                    v_1[0] = 1.0 / (1.0 + exp(negate(v[0])))
                    v_2[0] = v[0] * v_1[0]
                    y[i] = v_2[0]
                }
            }
        }
    }
}
)");
}

TEST_CASE("what is read again and again does not grow without bound [loops.lower.doubling]") {
    std::string text;
    const std::string off = lowered::difference(
        {tensor(element_type::float32, {2, 2})},
        [](ir_builder& b, const std::vector<node_id>& in) {
            node_id x = in[0];
            for (int i = 0; i < 40; ++i) x = b.call("onnx.Add", {x, b.call("onnx.Transpose", {x})});
            return x;
        },
        &text);
    CHECK(off == "");
    CHECK(text.size() < 200000);
}
