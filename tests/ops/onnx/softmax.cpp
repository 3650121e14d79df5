// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/softmax.hpp>

#include <cmath>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

using ops = onnx_softmaxes<>;

TEST_CASE("Softmax divides exponentials by their sum, along any axis") {
    const tensor x = noise({2, 3, 4}, 5);
    for (std::int64_t axis = -3; axis < 3; ++axis) {
        const tensor y = result<ops>("onnx.Softmax", {x}, {{"axis", axis}}), log_y = result<ops>("onnx.LogSoftmax", {x}, {{"axis", axis}});
        REQUIRE(y.ok());
        REQUIRE(log_y.ok());
        const std::size_t a = static_cast<std::size_t>(axis < 0 ? axis + 3 : axis), extents[] = {2, 3, 4}, steps[] = {12, 4, 1};
        for (std::size_t i = 0; i < 24; ++i) {
            const std::size_t begin = i - i / steps[a] % extents[a] * steps[a];
            double sum = 0;
            for (std::size_t k = 0; k < extents[a]; ++k) sum += std::exp(static_cast<double>(x.as<float>()[begin + k * steps[a]]));
            const double expected = std::exp(static_cast<double>(x.as<float>()[i])) / sum;
            CHECK(static_cast<double>(y.as<float>()[i]) == doctest::Approx(expected).epsilon(1e-6));
            CHECK(static_cast<double>(log_y.as<float>()[i]) == doctest::Approx(std::log(expected)).epsilon(1e-6));
        }
    }
}

TEST_CASE("Softmax stands large arguments, and Hardmax takes the first of the largest") {
    CHECK(elements_of<float>(result<ops>("onnx.Softmax", {list_of(floats{1e4f, 1e4f, -1e4f})})) == floats{0.5f, 0.5f, 0});
    CHECK(elements_of<float>(result<ops>("onnx.Hardmax", {list_of(floats{1, 3, 3})})) == floats{0, 1, 0});
    CHECK(inferred<ops>("onnx.Softmax", {f32({symbol("n"), 10})}) == "float32[n,10]");
    CHECK(refused<ops>("onnx.Softmax", {f32({2})}, {{"axis", std::int64_t{1}}}, "axis 1"));
    CHECK(result<ops>("onnx.Softmax", {tensor(element_type::float32, {3, 0})}).count() == 0);
}
