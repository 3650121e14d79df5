// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/stretching.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::tensor;
using ops_under_test = inlay::onnx_stretching<>;

TEST_CASE("Expand stretches both ways") {
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Expand", {counting({2, 1}), list({3})})) == floats{0, 0, 0, 1, 1, 1});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Expand", {counting({2}), list({2, 1})})) == floats{0, 1, 0, 1});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Expand", {counting({}, 7), list({2})})) == floats{7, 7});
    CHECK(inferred<ops_under_test>("onnx.Expand", {f32({symbol("n"), 1}), list({1, 4})}) == "float32[n,4]");
    CHECK(inferred<ops_under_test>("onnx.Expand", {f32({3, 1}), i64({3})}) == "float32[?,3,?]");
    CHECK(inferred<ops_under_test>("onnx.Expand", {f32({3, 1}), i64({symbol("r")})}) == "float32[*]");
    CHECK(refused<ops_under_test>("onnx.Expand", {f32({3}), list({4})}, {}, "cannot stretch"));
    CHECK(refused<ops_under_test>("onnx.Expand", {f32({3}), list({-1})}, {}, "must not be negative"));
    CHECK(refused<ops_under_test>("onnx.Expand", {f32({3}), list({INT64_MAX, 3})}, {}, "beyond counting"));
    CHECK(refused<ops_under_test>("onnx.Expand", {f32({3}), f32({1})}, {}, "list of integers"));
}

TEST_CASE("Tile repeats the whole along each axis") {
    const tensor y = result<ops_under_test>("onnx.Tile", {counting({2, 3}), list({2, 3})});
    REQUIRE(y.extents() == ints{4, 9});
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 9; ++j) CHECK(y.as<float>()[i * 9 + j] == static_cast<float>(i % 2 * 3 + j % 3));
    CHECK(result<ops_under_test>("onnx.Tile", {counting({2, 3}), list({0, 3})}).extents() == ints{0, 9});
    CHECK(inferred<ops_under_test>("onnx.Tile", {f32({symbol("n"), 3}), list({1, 2})}) == "float32[n,6]");
    CHECK(inferred<ops_under_test>("onnx.Tile", {f32({symbol("n"), 3}), i64({2})}) == "float32[?,?]");
    CHECK(refused<ops_under_test>("onnx.Tile", {f32({2, 3}), list({1})}, {}, "1 repeats"));
    CHECK(refused<ops_under_test>("onnx.Tile", {f32({2, 3}), list({1, -1})}, {}, "must not be negative"));
    CHECK(refused<ops_under_test>("onnx.Tile", {f32({2, 3}), list({1, INT64_MAX})}, {}, "beyond counting"));
    CHECK(refused<ops_under_test>("onnx.Tile", {f32({INT64_MAX / 32, 3}), list({7, 7})}, {}, "beyond counting"));
}
