// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/selection.hpp>

#include <doctest/doctest.h>

#include <limits>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::tensor;
using ops_under_test = inlay::onnx_selection<>;

namespace {
const float no_number = std::numeric_limits<float>::quiet_NaN();
tensor f(ints extents, const floats& values) { return tensor::of(std::move(extents), values); }
// std::vector<bool> has no elements to view, so that flags are given as bytes.
tensor flags(const std::vector<std::uint8_t>& values) {
    tensor t(inlay::element_type::boolean, {static_cast<std::int64_t>(values.size())});
    std::copy(values.begin(), values.end(), t.as<std::uint8_t>().begin());
    return t;
}
}  // namespace

TEST_CASE("TopK takes the largest or smallest, equal ones in order, along an axis") {
    const tensor x = f({2, 4}, {1, 3, 3, 2, 5, 4, 6, 4});
    auto y = results<ops_under_test>("onnx.TopK", {x, list({2})}, {}, 2);
    REQUIRE(y.size() == 2);
    CHECK(elements_of<float>(y[0]) == floats{3, 3, 6, 5});
    CHECK(elements_of<std::int64_t>(y[1]) == ints{1, 2, 2, 0});
    y = results<ops_under_test>("onnx.TopK", {x, list({1})}, {{"axis", std::int64_t{0}}, {"largest", std::int64_t{0}}}, 2);
    REQUIRE(y.size() == 2);
    CHECK(elements_of<float>(y[0]) == floats{1, 3, 3, 2});
    CHECK(elements_of<std::int64_t>(y[1]) == ints{0, 0, 0, 0});
    y = results<ops_under_test>("onnx.TopK", {f({3}, {1, no_number, 2}), list({3})}, {}, 2);
    REQUIRE(y.size() == 2);
    CHECK(elements_of<std::int64_t>(y[1]) == ints{1, 2, 0});
    CHECK(inferred<ops_under_test>("onnx.TopK", {f32({symbol("n"), 1000}), list({5})}, {}, 2) == "(float32[n,5], int64[n,5])");
    CHECK(inferred<ops_under_test>("onnx.TopK", {f32({symbol("n"), 1000}), i64({1})}, {}, 2) == "(float32[n,?], int64[n,?])");
    CHECK(refused<ops_under_test>("onnx.TopK", {f32({3}), list({4})}, {}, "as many", 2));
    CHECK(refused<ops_under_test>("onnx.TopK", {f32({3}), list({-1})}, {}, "takes -1", 2));
    CHECK(refused<ops_under_test>("onnx.TopK", {f32({3}), list({1, 1})}, {}, "one number", 2));
    CHECK(refused<ops_under_test>("onnx.TopK", {f32({}), list({1})}, {}, "axis -1", 2));
}

TEST_CASE("NonZero lists places axis by axis") {
    const tensor y = result<ops_under_test>("onnx.NonZero", {f({2, 3}, {0, 1, 0, 2, 0, no_number})});
    CHECK(y.extents() == ints{2, 3});
    CHECK(elements_of<std::int64_t>(y) == ints{0, 1, 1, 1, 0, 2});
    CHECK(result<ops_under_test>("onnx.NonZero", {f({2}, {0, 0})}).extents() == ints{1, 0});
    CHECK(inferred<ops_under_test>("onnx.NonZero", {f32({symbol("n"), 3})}) == "int64[2,?]");
}

TEST_CASE("the places in a scalar have no axis [ops.non-zero.scalar]") {
    CHECK(result<ops_under_test>("onnx.NonZero", {tensor::scalar(2.0f)}).extents() == ints{0, 1});
    CHECK(result<ops_under_test>("onnx.NonZero", {tensor::scalar(std::int64_t{0})}).extents() == ints{0, 0});
    CHECK(inferred<ops_under_test>("onnx.NonZero", {f32({})}) == "int64[0,?]");
}

TEST_CASE("Compress keeps what its condition says") {
    const tensor x = counting({2, 3});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Compress", {x, flags({0, 1, 0, 0, 1})})) == floats{1, 4});
    const tensor y = result<ops_under_test>("onnx.Compress", {x, flags({1, 0, 1})}, {{"axis", std::int64_t{-1}}});
    CHECK(y.extents() == ints{2, 2});
    CHECK(elements_of<float>(y) == floats{0, 2, 3, 5});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Compress", {x, flags({0, 1})}, {{"axis", std::int64_t{0}}})) == floats{3, 4, 5});
    std::string reason;
    CHECK(results<ops_under_test>("onnx.Compress", {x, flags({0, 0, 1})}, {{"axis", std::int64_t{0}}}, 1, &reason).empty());
    CHECK(reason.find("place 2") != std::string::npos);
    CHECK(inferred<ops_under_test>("onnx.Compress", {f32({symbol("n"), 3}), flags({1})}, {{"axis", std::int64_t{1}}}) == "float32[n,?]");
    CHECK(refused<ops_under_test>("onnx.Compress", {f32({2}), i64({2})}, {}, "int64"));
    CHECK(refused<ops_under_test>("onnx.Compress", {f32({2}), flags({1})}, {{"axis", std::int64_t{1}}}, "axis 1"));
}

TEST_CASE("Unique gives distinct elements or slices, where they stand, and how many") {
    auto y = results<ops_under_test>("onnx.Unique", {f({5}, {2, 1, 1, 3, 2})}, {}, 4);
    REQUIRE(y.size() == 4);
    CHECK(elements_of<float>(y[0]) == floats{1, 2, 3});
    CHECK(elements_of<std::int64_t>(y[1]) == ints{1, 0, 3});
    CHECK(elements_of<std::int64_t>(y[2]) == ints{1, 0, 0, 2, 1});
    CHECK(elements_of<std::int64_t>(y[3]) == ints{2, 2, 1});
    y = results<ops_under_test>("onnx.Unique", {f({5}, {2, 1, 1, 3, 2})}, {{"sorted", std::int64_t{0}}}, 4);
    REQUIRE(y.size() == 4);
    CHECK(elements_of<float>(y[0]) == floats{2, 1, 3});
    CHECK(elements_of<std::int64_t>(y[1]) == ints{0, 1, 3});
    CHECK(elements_of<std::int64_t>(y[2]) == ints{0, 1, 1, 2, 0});
    y = results<ops_under_test>("onnx.Unique", {f({3, 2}, {1, 0, 0, 5, 1, 0})}, {{"axis", std::int64_t{0}}}, 2);
    REQUIRE(y.size() == 2);
    CHECK(y[0].extents() == ints{2, 2});
    CHECK(elements_of<float>(y[0]) == floats{0, 5, 1, 0});
    CHECK(elements_of<std::int64_t>(y[1]) == ints{1, 0});
    CHECK(result<ops_under_test>("onnx.Unique", {f({0}, {})}).count() == 0);
    CHECK(inferred<ops_under_test>("onnx.Unique", {f32({symbol("n"), 3})}, {{"axis", std::int64_t{1}}}, 2) == "(float32[n,?], int64[?])");
    CHECK(refused<ops_under_test>("onnx.Unique", {f32({3})}, {{"axis", std::int64_t{1}}}, "axis 1"));
    CHECK(refused<ops_under_test>("onnx.Unique", {f32({3})}, {}, "5 outputs", 5));
}
