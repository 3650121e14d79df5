// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/operand_checks.hpp>

#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("Operands are counted, and those left out are missed") {
    const node_type x(tensor_type(element_type::int8, {2})), none = node_type::tuple({});
    const node_type* const types[] = {&x, &none, &x};
    const attribute_map attributes;
    const call_view call{"onnx.Thing", &attributes, types, {}, 1};
    CHECK_FALSE(wrong_arity(call, 1, 3).has_value());
    CHECK(wrong_arity(call, 1, 2)->message == "Thing takes at most 2 operands and has 3");
    CHECK(wrong_arity(call, 2, 3)->message == "Thing needs operand 1, which is left out");
    CHECK(wrong_arity(call, 4, 4)->message == "Thing needs operand 1, which is left out");
    CHECK_FALSE(wrong_element(call, 0, elements(integer_scalars())).has_value());
    CHECK_FALSE(wrong_element(call, 1, 0).has_value());
    CHECK(wrong_element(call, 0, elements(floating_scalars()))->message == "Thing has no meaning for operand 0 of element type int8");
    CHECK(no_such_axis(call, -5, 3).message.find("axis -5") != std::string::npos);
    CHECK(no_memory(call, x.of_tensor).message.find("int8[2]") != std::string::npos);
}

TEST_CASE("Axes count from either end") {
    CHECK(axis_of(-1, 3) == 2);
    CHECK(axis_of(0, 3) == 0);
    CHECK_FALSE(axis_of(3, 3).has_value());
    CHECK_FALSE(axis_of(-4, 3).has_value());
    CHECK_FALSE(axis_of(0, 0).has_value());
    CHECK_FALSE(axis_of(std::numeric_limits<std::int64_t>::min(), 3).has_value());
    CHECK(short_name("onnx.Conv") == "Conv");
    CHECK(short_name("plain") == "plain");
}
