// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/arithmetic.hpp>

#include <limits>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

using ops = onnx_arithmetic<>;

template <class T>
static std::vector<T> both(std::string_view name, std::vector<T> x, std::vector<T> y, const attribute_map& attributes = {}) {
    return elements_of<T>(result<ops>(name, {list_of(x), list_of(y)}, attributes));
}

TEST_CASE("Floats are added, multiplied and divided") {
    CHECK(both<float>("onnx.Add", {1, 2}, {0.5f, -3}) == floats{1.5f, -1});
    CHECK(both<float>("onnx.Sub", {1, 2}, {0.5f, -3}) == floats{0.5f, 5});
    CHECK(both<float>("onnx.Mul", {1, 2}, {0.5f, -3}) == floats{0.5f, -6});
    CHECK(both<double>("onnx.Div", {1, 3}, {4, -2}) == std::vector<double>{0.25, -1.5});
    CHECK(both<float>("onnx.Pow", {2, 9}, {3, 0.5f}) == floats{8, 3});
    CHECK(both<float>("onnx.Mod", {-7.5f, 7.5f}, {2, -2}, {{"fmod", std::int64_t{1}}}) == floats{-1.5f, 1.5f});
}

TEST_CASE("Integers wrap, cut off towards zero, and survive a division by zero") {
    constexpr auto least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
    using list32 = std::vector<std::int32_t>;
    CHECK(both<std::int32_t>("onnx.Add", {most, 1}, {1, 2}) == list32{least, 3});
    CHECK(both<std::int32_t>("onnx.Mul", {most, -3}, {2, 5}) == list32{-2, -15});
    CHECK(both<std::int32_t>("onnx.Div", {-7, 7, least, 5}, {2, -2, -1, 0}) == list32{-3, -3, least, 0});
    CHECK(both<std::int32_t>("onnx.Mod", {-7, 7, -6, least, 5}, {3, -3, 3, -1, 0}) == list32{2, -2, 0, 0, 0});
    CHECK(both<std::int32_t>("onnx.Mod", {-7, 7}, {3, -3}, {{"fmod", std::int64_t{1}}}) == list32{-1, 1});
    CHECK(both<std::int32_t>("onnx.Pow", {3, -2, 2, -1, 7}, {4, 3, -1, -3, 0}) == list32{81, -8, 0, -1, 1});
    CHECK(both<std::int16_t>("onnx.Mul", {300}, {300}) == std::vector<std::int16_t>{static_cast<std::int16_t>(90000 - 65536)});
    CHECK(both<std::uint8_t>("onnx.Sub", {1}, {2}) == std::vector<std::uint8_t>{255});
}

TEST_CASE("An exponent may have a type of its own") {
    CHECK(elements_of<float>(result<ops>("onnx.Pow", {list_of(floats{2, 3}), list(ints{3, 2})})) == floats{8, 9});
    CHECK(elements_of<std::int64_t>(result<ops>("onnx.Pow", {list(ints{9, 2}), list_of(floats{0.5f, 3})})) == ints{3, 8});
    CHECK(inferred<ops>("onnx.Pow", {f32({symbol("n"), 1}), i64({3})}) == "float32[n,3]");
}

TEST_CASE("Shapes are stretched as far as they are known") {
    CHECK(inferred<ops>("onnx.Add", {f32({symbol("n"), 3}), f32({3})}) == "float32[n,3]");
    CHECK(inferred<ops>("onnx.Add", {f32({symbol("n"), 1}), f32({symbol("n"), symbol("m")})}) == "float32[n,m]");
    CHECK(inferred<ops>("onnx.Add", {f32({symbol("n")}), f32({symbol("m")})}) == "float32[?]");
    CHECK(inferred<ops>("onnx.Add", {f32({symbol("n")}), f32({7})}) == "float32[7]");
    CHECK(inferred<ops>("onnx.Add", {f32({2}), tensor_type(element_type::float32)}) == "float32[*]");
    CHECK(inferred<ops>("onnx.Add", {f32({0, 3}), f32({1, 1})}) == "float32[0,3]");
    CHECK(refused<ops>("onnx.Add", {f32({2}), f32({3})}, {}, "cannot stretch"));
    CHECK(refused<ops>("onnx.Add", {f32({2}), i64({2})}, {}, "element types float32 and int64"));
    CHECK(refused<ops>("onnx.Mod", {f32({2}), f32({2})}, {}, "fmod"));
}
