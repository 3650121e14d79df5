// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/activation.hpp>

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

using ops = onnx_activations<>;

/// The operator's values at some points against a formula in double.
template <class Formula>
static bool follows(std::string_view name, const attribute_map& attributes, Formula formula) {
    const floats at{-30.0f, -7.0f, -3.5f, -3.0f, -1.0f, -0.5f, -0.25f, 0.0f, 0.125f, 0.5f, 1.0f, 2.75f, 3.0f, 6.0f, 30.0f};
    std::vector<double> wide(at.begin(), at.end());
    const tensor y = result<ops>(name, {list_of(at)}, attributes), z = result<ops>(name, {list_of(wide)}, attributes);
    if (!y.ok() || !z.ok()) return false;
    for (std::size_t i = 0; i < at.size(); ++i) {
        const double expected = formula(wide[i]);
        if (!(std::abs(static_cast<double>(y.as<float>()[i]) - expected) <= 4e-6 * (1 + std::abs(expected)))) return false;
        if (!(std::abs(z.as<double>()[i] - expected) <= 4e-15 * (1 + std::abs(expected)))) return false;
    }
    return true;
}

TEST_CASE("Activations follow their formulas") {
    CHECK(follows("onnx.Relu", {}, [](double x) { return x > 0 ? x : 0; }));
    CHECK(follows("onnx.LeakyRelu", {}, [](double x) { return x < 0 ? 0.01 * x : x; }));
    CHECK(follows("onnx.LeakyRelu", {{"alpha", 0.5}}, [](double x) { return x < 0 ? x / 2 : x; }));
    CHECK(follows("onnx.Elu", {{"alpha", 2.0}}, [](double x) { return x < 0 ? 2 * (std::exp(x) - 1) : x; }));
    CHECK(follows("onnx.Selu", {},
                  [](double x) { return 1.05070102214813232421875 * (x > 0 ? x : 1.67326319217681884765625 * (std::exp(x) - 1)); }));
    CHECK(follows("onnx.Celu", {{"alpha", 2.0}}, [](double x) { return std::fmax(0, x) + std::fmin(0, 2 * (std::exp(x / 2) - 1)); }));
    CHECK(follows("onnx.Sigmoid", {}, [](double x) { return 1 / (1 + std::exp(-x)); }));
    CHECK(follows("onnx.HardSigmoid", {}, [](double x) { return std::fmax(0, std::fmin(1, 0.2 * x + 0.5)); }));
    CHECK(follows("onnx.HardSwish", {}, [](double x) { return x * std::fmax(0, std::fmin(1, x / 6 + 0.5)); }));
    CHECK(follows("onnx.Softplus", {}, [](double x) { return std::log1p(std::exp(x)); }));
    CHECK(follows("onnx.Softsign", {}, [](double x) { return x / (1 + std::abs(x)); }));
    CHECK(follows("onnx.Mish", {}, [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }));
    CHECK(follows("onnx.Gelu", {}, [](double x) { return x / 2 * std::erfc(-x / std::sqrt(2.0)); }));
    CHECK(follows("onnx.Gelu", {{"approximate", std::string("tanh")}},
                  [](double x) { return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x))); }));
    CHECK(follows("onnx.ThresholdedRelu", {{"alpha", 0.5}}, [](double x) { return x > 0.5 ? x : 0; }));
    CHECK(follows("onnx.Shrink", {{"bias", 0.25}, {"lambd", 1.0}}, [](double x) { return x < -1 ? x + 0.25 : x > 1 ? x - 0.25 : 0; }));
}

TEST_CASE("Sigmoid and Softplus stand large arguments") {
    CHECK(elements_of<float>(result<ops>("onnx.Sigmoid", {list_of(floats{-1000, 1000})})) == floats{0, 1});
    CHECK(elements_of<float>(result<ops>("onnx.Softplus", {list_of(floats{-1000, 1000})})) == floats{0, 1000});
}

TEST_CASE("Relu keeps NaN and takes integers") {
    CHECK(std::isnan(result<ops>("onnx.Relu", {list_of(floats{std::numeric_limits<float>::quiet_NaN()})}).as<float>()[0]));
    CHECK(elements_of<std::int32_t>(result<ops>("onnx.Relu", {list_of(std::vector<std::int32_t>{-3, 4})})) ==
          std::vector<std::int32_t>{0, 4});
    CHECK(refused<ops>("onnx.Relu", {tensor_type(element_type::boolean, {2})}, {}, "bool"));
    CHECK(refused<ops>("onnx.Relu", {}, {}, "operand 0"));
}

TEST_CASE("PRelu stretches its slope to the data and not the other way round") {
    const tensor x = tensor::of<float>({2, 2}, floats{-1, -2, 3, -4}), slope = list_of(floats{0.5f, 0.25f});
    CHECK(elements_of<float>(result<ops>("onnx.PRelu", {x, slope})) == floats{-0.5f, -0.5f, 3, -1});
    CHECK(inferred<ops>("onnx.PRelu", {f32({symbol("n"), 4}), f32({4})}) == "float32[n,4]");
    CHECK(refused<ops>("onnx.PRelu", {f32({4}), f32({3, 4})}, {}, "cannot stretch its slope"));
    CHECK(refused<ops>("onnx.PRelu", {f32({1, 1}), f32({9})}, {}, "cannot stretch its slope"));
    CHECK(refused<ops>("onnx.PRelu", {f32({1, 2}), f32({0, 2})}, {}, "cannot stretch its slope"));
    CHECK(inferred<ops>("onnx.PRelu", {f32({0, 2}), f32({1, 1})}) == "float32[0,2]");
}

TEST_CASE("Half precision is computed in float and rounded") {
    tensor x(element_type::float16, {2});
    x.as<std::uint16_t>()[0] = 0xC000;  // -2
    x.as<std::uint16_t>()[1] = 0x3C00;  // 1
    const tensor y = result<ops>("onnx.LeakyRelu", {x}, {{"alpha", 0.25}});
    REQUIRE(y.element() == element_type::float16);
    CHECK(y.as<std::uint16_t>()[0] == 0xB800);  // -0.5
    CHECK(y.as<std::uint16_t>()[1] == 0x3C00);
}
