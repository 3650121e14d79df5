// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/math.hpp>

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

using ops = onnx_math<>;

static double at(std::string_view name, double x) {
    const tensor narrow = result<ops>(name, {tensor::scalar(static_cast<float>(x))}), wide = result<ops>(name, {tensor::scalar(x)});
    if (!narrow.ok() || !wide.ok()) return std::numeric_limits<double>::quiet_NaN();
    CHECK(static_cast<double>(narrow.as<float>()[0]) == doctest::Approx(wide.as<double>()[0]).epsilon(1e-5));
    return wide.as<double>()[0];
}

TEST_CASE("Functions take their known values") {
    const double pi = std::acos(-1.0), e = std::exp(1.0);
    const std::pair<const char*, std::pair<double, double>> known[] = {{"onnx.Sin", {pi / 6, 0.5}},
                                                                       {"onnx.Cos", {pi / 3, 0.5}},
                                                                       {"onnx.Tan", {pi / 4, 1}},
                                                                       {"onnx.Asin", {0.5, pi / 6}},
                                                                       {"onnx.Acos", {0.5, pi / 3}},
                                                                       {"onnx.Atan", {1, pi / 4}},
                                                                       {"onnx.Sinh", {1, (e - 1 / e) / 2}},
                                                                       {"onnx.Cosh", {1, (e + 1 / e) / 2}},
                                                                       {"onnx.Tanh", {1, (e * e - 1) / (e * e + 1)}},
                                                                       {"onnx.Asinh", {(e - 1 / e) / 2, 1}},
                                                                       {"onnx.Acosh", {(e + 1 / e) / 2, 1}},
                                                                       {"onnx.Atanh", {(e * e - 1) / (e * e + 1), 1}},
                                                                       {"onnx.Exp", {2, e * e}},
                                                                       {"onnx.Log", {e * e * e, 3}},
                                                                       {"onnx.Sqrt", {6.25, 2.5}},
                                                                       {"onnx.Erf", {0.5, 0.5204998778130465}},
                                                                       {"onnx.Reciprocal", {-4, -0.25}},
                                                                       {"onnx.Abs", {-2.5, 2.5}},
                                                                       {"onnx.Neg", {-2.5, 2.5}},
                                                                       {"onnx.Ceil", {-1.5, -1}},
                                                                       {"onnx.Floor", {-1.5, -2}},
                                                                       {"onnx.Sign", {-0.1, -1}}};
    for (const auto& [name, pair] : known) {
        CAPTURE(name);
        CHECK(at(name, pair.first) == doctest::Approx(pair.second).epsilon(1e-12));
    }
}

TEST_CASE("Round takes halves to even") {
    CHECK(elements_of<float>(result<ops>("onnx.Round", {list_of(floats{0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 1.25f})})) ==
          floats{0, 2, 2, -0.0f, -2, 1});
}

TEST_CASE("Integers wrap and have signs") {
    const auto least = std::numeric_limits<std::int8_t>::min();
    CHECK(elements_of<std::int8_t>(result<ops>("onnx.Abs", {list_of(std::vector<std::int8_t>{-5, least, 7})})) ==
          std::vector<std::int8_t>{5, least, 7});
    CHECK(elements_of<std::int8_t>(result<ops>("onnx.Neg", {list_of(std::vector<std::int8_t>{-5, least, 7})})) ==
          std::vector<std::int8_t>{5, least, -7});
    CHECK(elements_of<std::uint8_t>(result<ops>("onnx.Sign", {list_of(std::vector<std::uint8_t>{0, 200})})) ==
          std::vector<std::uint8_t>{0, 1});
    CHECK(refused<ops>("onnx.Neg", {tensor_type(element_type::uint8, {1})}, {}, "uint8"));
    CHECK(refused<ops>("onnx.Exp", {i64({1})}, {}, "int64"));
}

TEST_CASE("Infinities and NaN are found") {
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const tensor x = list_of(floats{inf, -inf, nan, 1});
    CHECK(elements_of<bool>(result<ops>("onnx.IsInf", {x})) == std::vector<bool>{true, true, false, false});
    CHECK(elements_of<bool>(result<ops>("onnx.IsInf", {x}, {{"detect_negative", std::int64_t{0}}})) ==
          std::vector<bool>{true, false, false, false});
    CHECK(elements_of<bool>(result<ops>("onnx.IsInf", {x}, {{"detect_positive", std::int64_t{0}}})) ==
          std::vector<bool>{false, true, false, false});
    CHECK(elements_of<bool>(result<ops>("onnx.IsNaN", {x})) == std::vector<bool>{false, false, true, false});
    CHECK(inferred<ops>("onnx.IsNaN", {f32({symbol("n")})}) == "bool[n]");
    CHECK(std::isnan(result<ops>("onnx.Sign", {list_of(floats{nan})}).as<float>()[0]));
}
