// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/unary.hpp>

#include <cmath>
#include <limits>

#include "run_region.hpp"

using namespace reference_test;
using on_eigen::unary_operators;

namespace {

struct expectation {
    std::string_view op;
    double (*value)(double);
    float low, high;
    double tolerance;
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

constexpr expectation table[] = {
    {"onnx.Relu", [](double x) { return x > 0 ? x : 0; }, -5, 5, 0},
    {"onnx.LeakyRelu", [](double x) { return x > 0 ? x : 0.01 * x; }, -5, 5, 1e-7},
    {"onnx.Sigmoid", sigmoid, -100, 100, 3e-7},
    {"onnx.HardSigmoid", [](double x) { return std::max(0.0, std::min(1.0, 0.2 * x + 0.5)); }, -5, 5, 2e-7},
    {"onnx.HardSwish", [](double x) { return x * std::max(0.0, std::min(1.0, x / 6 + 0.5)); }, -5, 5, 3e-7},
    {"onnx.Tanh", [](double x) { return std::tanh(x); }, -12, 12, 5e-7},
    {"onnx.Erf", [](double x) { return std::erf(x); }, -6, 6, 5e-7},
    {"onnx.Gelu", [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }, -8, 8, 1e-6},
    {"onnx.Exp", [](double x) { return std::exp(x); }, -80, 80, 5e-7},
    {"onnx.Log", [](double x) { return std::log(x); }, 1e-6f, 1e6f, 5e-7},
    // Eigen refines the processor's estimate of 1 / sqrt(x) by one step of Newton's; how near that comes differs between processors.
    {"onnx.Sqrt", [](double x) { return std::sqrt(x); }, 0, 1e6f, 3e-7},
    {"onnx.Abs", [](double x) { return std::abs(x); }, -5, 5, 0},
    {"onnx.Neg", [](double x) { return -x; }, -5, 5, 0},
    {"onnx.Reciprocal", [](double x) { return 1 / x; }, 0.01f, 5, 3e-7},
    {"onnx.Elu", [](double x) { return x > 0 ? x : std::expm1(x); }, -20, 20, 5e-7},
    {"onnx.Selu", [](double x) { return 1.05070102214813232421875 * (x > 0 ? x : 1.67326319217681884765625 * std::expm1(x)); }, -20, 20,
     5e-7},
    {"onnx.Celu", [](double x) { return x > 0 ? x : std::expm1(x); }, -20, 20, 5e-7},
    {"onnx.Softplus", [](double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }, -90, 90, 5e-7},
    {"onnx.Softsign", [](double x) { return x / (1 + std::abs(x)); }, -50, 50, 3e-7},
    {"onnx.Mish", [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }, -20, 20, 1e-6},
    {"onnx.Floor", [](double x) { return std::floor(x); }, -50, 50, 0},
    {"onnx.Ceil", [](double x) { return std::ceil(x); }, -50, 50, 0},
    {"onnx.Round", [](double x) { return std::nearbyint(x); }, -50, 50, 0},
    {"onnx.Sin", [](double x) { return std::sin(x); }, -30, 30, 5e-7},
    {"onnx.Cos", [](double x) { return std::cos(x); }, -30, 30, 5e-7},
};

tensor one(std::string_view op, const tensor& x, const attribute_map& attributes = {}, const std::vector<operand>& more = {}) {
    std::vector<operand> operands{given(x)};
    operands.insert(operands.end(), more.begin(), more.end());
    return run_call(entry(unary_operators, op), operands, attributes, {x.type()})[0];
}

}  // namespace

TEST_CASE("every function of one variable is within a few units of the last place of its definition, at every length of the tail") {
    for (const expectation& e : table)
        for (const std::int64_t n : {0, 1, 7, 15, 16, 17, 40, 70000}) {
            INFO(e.op << " of " << n << " elements, seed " << 11);
            seeded random(11);
            const tensor x = random.floats({n}, e.low, e.high);
            check_floats(
                one(e.op, x), [&](std::size_t i) { return e.value(static_cast<double>(x.as<float>()[i])); }, e.tolerance);
        }
}

TEST_CASE("attributes change the functions that have any") {
    seeded random(12);
    const tensor x = random.floats({3, 50}, -4, 4);
    const auto at = [&](std::size_t i) { return static_cast<double>(x.as<float>()[i]); };
    check_floats(
        one("onnx.LeakyRelu", x, {{"alpha", 0.3}}), [&](std::size_t i) { return at(i) > 0 ? at(i) : 0.3 * at(i); }, 1e-6);
    check_floats(
        one("onnx.Elu", x, {{"alpha", 2.0}}), [&](std::size_t i) { return at(i) > 0 ? at(i) : 2 * std::expm1(at(i)); }, 1e-6);
    check_floats(
        one("onnx.Celu", x, {{"alpha", 2.0}}), [&](std::size_t i) { return at(i) > 0 ? at(i) : 2 * std::expm1(at(i) / 2); }, 1e-6);
    check_floats(
        one("onnx.HardSigmoid", x, {{"alpha", 0.5}, {"beta", 0.25}}),
        [&](std::size_t i) { return std::max(0.0, std::min(1.0, 0.5 * at(i) + 0.25)); }, 1e-6);
    check_floats(
        one("onnx.Gelu", x, {{"approximate", std::string("tanh")}}),
        [&](std::size_t i) { return 0.5 * at(i) * (1 + std::tanh(0.7978845608028654 * (at(i) + 0.044715 * at(i) * at(i) * at(i)))); },
        1e-6);
    check_floats(one("onnx.Clip", x, {}, {known(tensor::scalar(-1.0f)), known(tensor::scalar(2.0f))}),
                 [&](std::size_t i) { return std::max(-1.0, std::min(2.0, at(i))); });
    check_floats(one("onnx.Clip", x, {}, {absent(), known(tensor::scalar(0.5f))}), [&](std::size_t i) { return std::min(0.5, at(i)); });
    check_floats(one("onnx.Clip", x), at);
}

TEST_CASE("a NaN stays one, and infinities go where the functions go") {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const tensor x = list(std::vector<float>{nan, infinity, -infinity});
    for (const auto op : {"onnx.Relu", "onnx.LeakyRelu", "onnx.Sigmoid", "onnx.Exp", "onnx.Sqrt", "onnx.Abs", "onnx.HardSigmoid",
                          "onnx.Clip", "onnx.Erf", "onnx.Log", "onnx.Floor", "onnx.Reciprocal"}) {
        INFO(op);
        CHECK(std::isnan(one(op, x).as<float>()[0]));
    }
    CHECK(one("onnx.Sigmoid", x).as<float>()[1] == 1.0f);
    CHECK(one("onnx.Sigmoid", x).as<float>()[2] == 0.0f);
    CHECK(one("onnx.Exp", x).as<float>()[1] == infinity);
    CHECK(one("onnx.Exp", x).as<float>()[2] < 1e-37f);
    CHECK(one("onnx.Erf", x).as<float>()[2] == -1.0f);
    CHECK(one("onnx.Relu", x).as<float>()[1] == infinity);
    CHECK(one("onnx.Tanh", x).as<float>()[1] == doctest::Approx(1.0f));
}

TEST_CASE("a function of one variable refuses other element types and bounds that come at the run") {
    const attribute_map none;
    const auto refuse = entry(unary_operators, "onnx.Clip").refuse;
    CHECK(refuse(site("onnx.Clip",
                      {
                          given(tensor::scalar(1.0)),
                      },
                      none, {type_of<double>({})})) == "an operand is float64; the kernel takes float32");
    CHECK(refuse(site("onnx.Clip", {given(tensor::scalar(1.0f)), given(tensor::scalar(1.0f))}, none, {float_type({})})) ==
          "the bounds of Clip are not known before the run");
}
