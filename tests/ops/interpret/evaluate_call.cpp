// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/interpret/evaluate_call.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

static outcome<node_type> says_two(const call_view&) { return node_type(f32({2})); }
static outcome<node_type> same_type(const call_view& call) { return node_type(call.type(0)); }
static outcome<std::vector<tensor>> gives_itself(const call_view&, std::span<const tensor> operands) {
    return std::vector<tensor>{operands[0]};
}
static outcome<std::vector<tensor>> wants_float(const call_view& call, std::span<const tensor> operands) {
    if (operands[0].element() != element_type::float32 || call.type(0).element != element_type::float32) return error{"got no float"};
    tensor twice = tensor(element_type::float32, operands[0].extents());
    for (std::size_t i = 0; i < twice.count(); ++i) twice.as<float>()[i] = 2 * operands[0].as<float>()[i];
    return std::vector<tensor>{twice};
}

TEST_CASE("What comes out is held against the type rule") {
    const op_definition d{"mine.Liar", op_kind::opaque, says_two, gives_itself};
    const tensor right[] = {counting({2})}, wrong[] = {counting({3})};
    CHECK(evaluate_call(d, {}, right).has_value());
    const auto lie = evaluate_call(d, {}, wrong);
    REQUIRE_FALSE(lie.has_value());
    CHECK(lie.failure().message.find("float32[3], where its type rule says float32[2]") != std::string::npos);
    CHECK_FALSE(evaluate_call(d, {}, right, 2).has_value());
    CHECK_FALSE(evaluate_call({"mine.Mute"}, {}, right).has_value());
}

TEST_CASE("Halves are widened for operators that compute and moved by those that move") {
    tensor half(element_type::bfloat16, {1});
    half.as<std::uint16_t>()[0] = 0x3FC0;  // 1.5
    const tensor operands[] = {half};
    const auto computed = evaluate_call({"mine.Twice", op_kind::elementwise, same_type, wants_float}, {}, operands);
    REQUIRE(computed.has_value());
    CHECK((*computed)[0].element() == element_type::bfloat16);
    CHECK((*computed)[0].as<std::uint16_t>()[0] == 0x4040);  // 3
    const auto moved = evaluate_call({"mine.Move", op_kind::injective, same_type, gives_itself}, {}, operands);
    REQUIRE(moved.has_value());
    CHECK((*moved)[0].data() == half.data());
}
