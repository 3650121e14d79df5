// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/books/relay_element_rules.hpp>

#include <cmath>

#include <doctest/doctest.h>

#include <inlay/ops/loops/stretching.hpp>
#include <inlay/ops/onnx/activation.hpp>
#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/cast.hpp>
#include <inlay/ops/onnx/clip_and_where.hpp>
#include <inlay/ops/onnx/logic.hpp>
#include <inlay/ops/onnx/math.hpp>
#include <inlay/ops/onnx/reshaping.hpp>
#include <inlay/ops/onnx/variadic.hpp>
#include <inlay/ops/op_table.hpp>

#include "ops/relay_program.hpp"

using namespace inlay;
using namespace inlay_test;
using ops_here = op_table<onnx_activations<>, onnx_arithmetic<>, onnx_casts<>, onnx_clip_and_where<>, onnx_logic<>, onnx_math<>,
                          onnx_reshaping<>, onnx_stretching<>, onnx_variadics<>>;

TEST_CASE("Relay's functions of one number are ONNX's") {
    struct function {
        const char* op;
        double (*meaning)(double);
    };
    const tensor x = noise({2, 5}, 7);
    tensor positive = x;
    for (float& v : positive.as<float>()) v = std::abs(v) + 0.25f;
    const tensor copy = noise({2, 5}, 7);
    for (const function& f : {function{"abs", [](double v) { return std::abs(v); }},
                              function{"atan", [](double v) { return std::atan(v); }},
                              function{"ceil", [](double v) { return std::ceil(v); }},
                              function{"cos", [](double v) { return std::cos(v); }},
                              function{"cosh", [](double v) { return std::cosh(v); }},
                              function{"erf", [](double v) { return std::erf(v); }},
                              function{"exp", [](double v) { return std::exp(v); }},
                              function{"floor", [](double v) { return std::floor(v); }},
                              function{"negative", [](double v) { return -v; }},
                              function{"nn.relu", [](double v) { return v > 0 ? v : 0; }},
                              function{"sigmoid", [](double v) { return 1 / (1 + std::exp(-v)); }},
                              function{"sign", [](double v) { return v > 0   ? 1.0
                                                                     : v < 0 ? -1.0
                                                                             : 0.0; }},
                              function{"sin", [](double v) { return std::sin(v); }},
                              function{"sinh", [](double v) { return std::sinh(v); }},
                              function{"tan", [](double v) { return std::tan(v); }},
                              function{"tanh", [](double v) { return std::tanh(v); }},
                              function{"asinh", [](double v) { return std::asinh(v); }},
                              function{"round", [](double v) { return std::round(v); }},
                              function{"trunc", [](double v) { return std::trunc(v); }},
                              function{"ones_like", [](double) { return 1.0; }},
                              function{"copy", [](double v) { return v; }}}) {
        CAPTURE(std::string(f.op));
        check_elements(of_call<ops_here>(f.op, {copy}), {2, 5}, [&](const ints& i) { return f.meaning(at(copy, i)); });
    }
    for (const function& f :
         {function{"log", [](double v) { return std::log(v); }}, function{"sqrt", [](double v) { return std::sqrt(v); }},
          function{"log2", [](double v) { return std::log2(v); }}, function{"log10", [](double v) { return std::log10(v); }},
          function{"rsqrt", [](double v) { return 1 / std::sqrt(v); }}}) {
        CAPTURE(std::string(f.op));
        check_elements(of_call<ops_here>(f.op, {positive}), {2, 5}, [&](const ints& i) { return f.meaning(at(positive, i)); });
    }
}

TEST_CASE("Relay's functions of two numbers are ONNX's, stretched alike") {
    struct function {
        const char* op;
        double (*meaning)(double, double);
    };
    const tensor x = noise({2, 3}, 3);
    tensor y = noise({3}, 4);
    for (float& v : y.as<float>()) v = std::abs(v) + 0.5f;
    for (const function& f :
         {function{"add", [](double a, double b) { return a + b; }}, function{"subtract", [](double a, double b) { return a - b; }},
          function{"multiply", [](double a, double b) { return a * b; }}, function{"divide", [](double a, double b) { return a / b; }},
          function{"maximum", [](double a, double b) { return a > b ? a : b; }},
          function{"floor_divide", [](double a, double b) { return std::floor(a / b); }},
          function{"mod", [](double a, double b) { return std::fmod(a, b); }},
          function{"minimum", [](double a, double b) { return a < b ? a : b; }}}) {
        CAPTURE(std::string(f.op));
        check_elements(of_call<ops_here>(f.op, {x, y}), {2, 3}, [&](const ints& i) { return f.meaning(at(x, i), at(y, {i[1]})); });
    }
    check_elements(of_call<ops_here>("power", {y, x}), {2, 3}, [&](const ints& i) { return std::pow(at(y, {i[1]}), at(x, i)); });
}

TEST_CASE("Relay's comparisons and truths are ONNX's") {
    const tensor x = tensor::of({4}, floats{1, 2, 3, 2}), y = tensor::of({4}, floats{2, 2, 1, 3});
    const auto truths = [&](const char* op) { return elements_of<bool>(of_call<ops_here>(op, {x, y})); };
    using bools = std::vector<bool>;
    CHECK(truths("equal") == bools{false, true, false, false});
    CHECK(truths("not_equal") == bools{true, false, true, true});
    CHECK(truths("less") == bools{true, false, false, true});
    CHECK(truths("less_equal") == bools{true, true, false, true});
    CHECK(truths("greater") == bools{false, false, true, false});
    CHECK(truths("greater_equal") == bools{false, true, true, false});
    relay_program p;
    const node_id a = p.input(x), b = p.input(y), small = p.call("less", {a, b}), same = p.call("equal", {a, b});
    const node_id either =
        p.call("logical_xor", {p.call("logical_or", {small, same}), p.call("logical_and", {small, p.call("logical_not", {same})})});
    CHECK(elements_of<float>(p.run<ops_here>(p.call("where", {either, a, b}))) == floats{2, 2, 1, 3});
}

TEST_CASE("clip, cast, leaky_relu and prelu bring their attributes along [ops.relay.defaults]") {
    const tensor x = noise({2, 3, 2}, 5);
    check_elements(of_call<ops_here>("clip", {x}, {{"a_min", -0.25}, {"a_max", std::int64_t{1}}}), {2, 3, 2},
                   [&](const ints& i) { return std::min(std::max(at(x, i), -0.25), 1.0); });
    const tensor whole = tensor::of({3}, std::vector<std::int32_t>{-7, 2, 9});
    CHECK(elements_of<std::int32_t>(of_call<ops_here>("clip", {whole}, {{"a_min", std::int64_t{0}}, {"a_max", 6.0}})) ==
          std::vector<std::int32_t>{0, 2, 6});
    CHECK(refusal_of<ops_here>("clip", {whole}, {{"a_min", 0.5}, {"a_max", 6.0}}).find("clip has the number 0.5") != std::string::npos);
    CHECK(elements_of<float>(of_call<ops_here>("cast", {whole}, {{"dtype", std::string("float32")}})) == floats{-7, 2, 9});
    CHECK(refusal_of<ops_here>("cast", {whole}, {{"dtype", std::string("custom[posit]8")}}).find("dtype 'custom[posit]8'") !=
          std::string::npos);
    check_elements(of_call<ops_here>("nn.leaky_relu", {x}, {{"alpha", 0.125}}), {2, 3, 2},
                   [&](const ints& i) { return at(x, i) < 0 ? at(x, i) * 0.125 : at(x, i); });
    check_elements(of_call<ops_here>("nn.leaky_relu", {x}), {2, 3, 2},
                   [&](const ints& i) { return at(x, i) < 0 ? at(x, i) * 0.25 : at(x, i); });
    const tensor slope = tensor::of({3}, floats{0.5f, 0.25f, 2});
    check_elements(of_call<ops_here>("nn.prelu", {x, slope}), {2, 3, 2},
                   [&](const ints& i) { return at(x, i) < 0 ? at(x, i) * at(slope, {i[1]}) : at(x, i); });
}

TEST_CASE("dropout gives its operand, and its mask is refused") {
    const tensor x = noise({4}, 1);
    relay_program p, q;
    CHECK(elements_of<float>(p.run<ops_here>(p.call("negative", {p.field(p.call("nn.dropout", {p.input(x)}, {{"rate", 0.5}}), 0)})))[1] ==
          -x.as<float>()[1]);
    CHECK(q.refused<ops_here>(q.field(q.call("nn.dropout", {q.input(x)}), 1)).find("nn.dropout gives its mask") != std::string::npos);
}

TEST_CASE("every name in the table of renamed operators is one that the rule asks for") {
    const auto& rule = relay_element_rules().rows<working_graph<ir_module>>[0];
    REQUIRE(rule.name == "renamed");
    for (const auto& [relay, onnx] : detail::relay_as_onnx) {
        CAPTURE(std::string(relay));
        CHECK(detail::names_operator(*rule.left, relay));
        CHECK(ops_here::find(onnx) != nullptr);
    }
    CHECK(rule.left->top().names.size() == std::size(detail::relay_as_onnx));
}
