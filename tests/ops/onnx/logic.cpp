// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/logic.hpp>

#include <limits>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

using ops = onnx_logic<>;
using flags = std::vector<bool>;

static tensor bools(const flags& values) {
    tensor t(element_type::boolean, {static_cast<std::int64_t>(values.size())});
    for (std::size_t i = 0; i < values.size(); ++i) t.as<bool>()[i] = values[i];
    return t;
}

TEST_CASE("Logic follows its truth tables") {
    const tensor x = bools({false, false, true, true}), y = bools({false, true, false, true});
    CHECK(elements_of<bool>(result<ops>("onnx.And", {x, y})) == flags{false, false, false, true});
    CHECK(elements_of<bool>(result<ops>("onnx.Or", {x, y})) == flags{false, true, true, true});
    CHECK(elements_of<bool>(result<ops>("onnx.Xor", {x, y})) == flags{false, true, true, false});
    CHECK(elements_of<bool>(result<ops>("onnx.Not", {x})) == flags{true, true, false, false});
    CHECK(elements_of<bool>(result<ops>("onnx.Equal", {x, y})) == flags{true, false, false, true});
    CHECK(refused<ops>("onnx.And", {f32({1}), f32({1})}, {}, "float32"));
}

TEST_CASE("Comparisons give bool, and NaN is equal to nothing") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const tensor x = list_of(floats{1, 2, 3, nan}), y = list_of(floats{2, 2, 2, nan});
    CHECK(elements_of<bool>(result<ops>("onnx.Less", {x, y})) == flags{true, false, false, false});
    CHECK(elements_of<bool>(result<ops>("onnx.LessOrEqual", {x, y})) == flags{true, true, false, false});
    CHECK(elements_of<bool>(result<ops>("onnx.Greater", {x, y})) == flags{false, false, true, false});
    CHECK(elements_of<bool>(result<ops>("onnx.GreaterOrEqual", {x, y})) == flags{false, true, true, false});
    CHECK(elements_of<bool>(result<ops>("onnx.Equal", {x, y})) == flags{false, true, false, false});
    CHECK(elements_of<bool>(result<ops>("onnx.Less", {list(ints{-1}), list(ints{1})})) == flags{true});
    CHECK(inferred<ops>("onnx.Less", {f32({symbol("n"), 1}), f32({4})}) == "bool[n,4]");
}

TEST_CASE("Bits are combined and shifted") {
    using bytes = std::vector<std::uint8_t>;
    const tensor x = list_of(bytes{0b1100, 255}), y = list_of(bytes{0b1010, 9});
    CHECK(elements_of<std::uint8_t>(result<ops>("onnx.BitwiseAnd", {x, y})) == bytes{0b1000, 9});
    CHECK(elements_of<std::uint8_t>(result<ops>("onnx.BitwiseOr", {x, y})) == bytes{0b1110, 255});
    CHECK(elements_of<std::uint8_t>(result<ops>("onnx.BitwiseXor", {x, y})) == bytes{0b0110, 246});
    CHECK(elements_of<std::uint8_t>(result<ops>("onnx.BitwiseNot", {x})) == bytes{0b11110011, 0});
    CHECK(elements_of<std::uint8_t>(result<ops>("onnx.BitShift", {x, list_of(bytes{2, 8})}, {{"direction", std::string("LEFT")}})) ==
          bytes{48, 0});
    CHECK(elements_of<std::uint8_t>(result<ops>("onnx.BitShift", {x, list_of(bytes{2, 7})}, {{"direction", std::string("RIGHT")}})) ==
          bytes{3, 1});
    const std::vector<std::uint64_t> one{1}, far{64}, near{63};
    CHECK(elements_of<std::uint64_t>(result<ops>("onnx.BitShift", {list_of(one), list_of(far)}, {{"direction", std::string("LEFT")}})) ==
          std::vector<std::uint64_t>{0});
    CHECK(elements_of<std::uint64_t>(result<ops>("onnx.BitShift", {list_of(one), list_of(near)}, {{"direction", std::string("LEFT")}})) ==
          std::vector<std::uint64_t>{std::uint64_t{1} << 63});
    CHECK(refused<ops>("onnx.BitShift", {tensor_type(element_type::uint8, {1}), tensor_type(element_type::uint8, {1})}, {}, "direction"));
}
