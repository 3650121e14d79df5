// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/cast.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>
#include <inlay/ops/loops/half_float.hpp>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

using ops = onnx_casts<>;

static_assert(element_type_numbered(1) == element_type::float32 && !element_type_numbered(14) && !element_type_numbered(-1) &&
              !element_type_numbered(99));
static_assert(element_type_numbered(17) == element_type::float8_e4m3fn && onnx_number_of(element_type::float8_e5m2fnuz) == 20);
static_assert(onnx_number_of(element_type::bfloat16) == 16 && onnx_number_of(element_type::none) == 0);
static_assert(float16_bits::narrowed(1.0).bits == 0x3C00 && float16_bits::narrowed(-2.0).bits == 0xC000 &&
              float16_bits::narrowed(65504.0).bits == 0x7BFF);
static_assert(float16_bits::narrowed(65519.99).bits == 0x7BFF && float16_bits::narrowed(65520.0).bits == 0x7C00 &&
              float16_bits::narrowed(1e300).bits == 0x7C00);
static_assert(float16_bits::narrowed(0x1p-24).bits == 1 && float16_bits::narrowed(0x1p-25).bits == 0 &&
              float16_bits::narrowed(0x1.8p-25).bits == 1);
static_assert(bfloat16_bits::narrowed(1.0).bits == 0x3F80 && bfloat16_bits::narrowed(1.00390625).bits == 0x3F80 &&
              bfloat16_bits::narrowed(1.01171875).bits == 0x3F82);

static attribute_map to(element_type e) { return {{"to", onnx_number_of(e)}}; }

TEST_CASE("Every half survives being widened and narrowed") {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto b = static_cast<std::uint16_t>(bits);
        const float16_bits half{b};
        const bfloat16_bits brain{b};
        if (!std::isnan(half.widened())) REQUIRE(float16_bits::narrowed(half.widened()).bits == b);
        if (!std::isnan(brain.widened())) REQUIRE(bfloat16_bits::narrowed(brain.widened()).bits == b);
        if (std::isnan(half.widened())) REQUIRE(std::isnan(float16_bits::narrowed(half.widened()).widened()));
    }
}

TEST_CASE("Cast converts towards zero, to the nearest end, modulo, and to bool") {
    const tensor x = list_of(floats{-2.75f, 0, 300.5f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()});
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    CHECK(elements_of<std::int64_t>(result<ops>("onnx.Cast", {x}, to(element_type::int64))) == ints{-2, 0, 300, most, 0});
    CHECK(elements_of<std::uint8_t>(result<ops>("onnx.Cast", {x}, to(element_type::uint8))) ==
          std::vector<std::uint8_t>{0, 0, 255, 255, 0});
    CHECK(elements_of<bool>(result<ops>("onnx.Cast", {x}, to(element_type::boolean))) == std::vector<bool>{true, false, true, true, true});
    CHECK(elements_of<std::uint8_t>(result<ops>("onnx.Cast", {list(ints{-1, 258})}, to(element_type::uint8))) ==
          std::vector<std::uint8_t>{255, 2});
    CHECK(elements_of<float>(result<ops>("onnx.Cast", {list_of(std::vector<std::uint64_t>{std::uint64_t{1} << 63})},
                                         to(element_type::float32))) == floats{0x1p63f});
    const tensor half = result<ops>("onnx.Cast", {list_of(floats{0.5f, -1})}, to(element_type::float16));
    CHECK(half.as<std::uint16_t>()[0] == 0x3800);
    CHECK(elements_of<double>(result<ops>("onnx.Cast", {half}, to(element_type::float64))) == std::vector<double>{0.5, -1});
    CHECK(result<ops>("onnx.CastLike", {list(ints{3}), half}).element() == element_type::float16);
    CHECK(inferred<ops>("onnx.Cast", {f32({symbol("n")})}, to(element_type::boolean)) == "bool[n]");
    CHECK(refused<ops>("onnx.Cast", {f32({1})}, {}, "attribute to"));
    CHECK_FALSE(result<ops>("onnx.Cast", {x}, to(element_type::string)).ok());
}

TEST_CASE("Cast goes to and from every 8-bit float, saturating or not [ops.float8.cast]") {
    const tensor x = list_of(floats{1, -0.3f, 1000, 1e6f, std::numeric_limits<float>::infinity()});
    struct row {
        element_type type;
        float near, most;
    };
    constexpr float endless = std::numeric_limits<float>::infinity();
    for (const row& r : {row{element_type::float8_e4m3fn, -0.3125f, 448}, row{element_type::float8_e4m3fnuz, -0.3125f, 240},
                         row{element_type::float8_e5m2, -0.3125f, 57344}, row{element_type::float8_e5m2fnuz, -0.3125f, 57344}}) {
        const float thousand = std::min(1024.0f, r.most);
        const tensor stored = result<ops>("onnx.Cast", {x}, to(r.type));
        REQUIRE(stored.element() == r.type);
        CHECK(elements_of<float>(result<ops>("onnx.Cast", {stored}, to(element_type::float32))) ==
              floats{1, r.near, thousand, r.most, r.most});
        attribute_map open = to(r.type);
        open.set("saturate", std::int64_t{0});
        const auto beyond = elements_of<float>(result<ops>("onnx.Cast", {result<ops>("onnx.Cast", {x}, open)}, to(element_type::float32)));
        CHECK((r.type == element_type::float8_e5m2 ? beyond[4] == endless && beyond[3] == endless : std::isnan(beyond[4])));
        CHECK(elements_of<std::int32_t>(result<ops>("onnx.Cast", {stored}, to(element_type::int32)))[0] == 1);
        CHECK(elements_of<float>(result<ops>("onnx.Cast", {result<ops>("onnx.CastLike", {list(ints{2, 3}), stored})},
                                             to(element_type::float32))) == floats{2, 3});
        CHECK(result<ops>("onnx.Identity", {stored}).data() == stored.data());
    }
}

TEST_CASE("A long tensor is converted in pieces without a seam") {
    const tensor x = counting({1025, 3});
    const tensor y = result<ops>("onnx.Cast", {x}, to(element_type::int32));
    REQUIRE(y.ok());
    for (std::size_t i = 0; i < y.count(); ++i) REQUIRE(y.as<std::int32_t>()[i] == static_cast<std::int32_t>(i));
}

TEST_CASE("Identity and Dropout pass their operand on") {
    const tensor x = counting({2, 2});
    CHECK(result<ops>("onnx.Identity", {x}).data() == x.data());
    const auto both = results<ops>("onnx.Dropout", {x}, {}, 2);
    REQUIRE(both.size() == 2);
    CHECK(elements_of<float>(both[0]) == elements_of<float>(x));
    CHECK(elements_of<bool>(both[1]) == std::vector<bool>(4, true));
    CHECK(inferred<ops>("onnx.Dropout", {f32({symbol("n")})}, {}, 2) == "(float32[n], bool[n])");
    tensor training(element_type::boolean, {});
    CHECK(inferred<ops>("onnx.Dropout", {x, {}, training}) == "float32[2,2]");
    training.as<bool>()[0] = true;
    CHECK(refused<ops>("onnx.Dropout", {x, {}, training}, {}, "training"));
}
