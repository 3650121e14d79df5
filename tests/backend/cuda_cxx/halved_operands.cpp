// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda_cxx/halved_operands.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/schedule/loop_schedule.hpp>
#include <inlay/loops/schedule/where_legal.hpp>

#include "arranged_alike.hpp"

using namespace inlay;
using namespace cuda_cxx_test;

TEST_CASE("operands in float16 are stored by stages of their own, and sums read them there") {
    const loop_nest before = lowered({{2, 6, 16}, {2, 16, 5}}, [](ir_builder& b, const auto& x) {
        return b.call("onnx.MatMul", {x[0], x[1]});
    });
    loop_nest made = before;
    std::vector<std::string> operands{"x", "x_1"};
    REQUIRE(detail::halve_operands(made, "r", operands));
    CHECK(operands == std::vector<std::string>{"x_half", "x_1_half"});
    CHECK(to_text(made).find("scratch x_1_half: float16[2, 16, 5]") != std::string::npos);
    // The inputs are numbers that float16 holds.
    CHECK(difference(before, made) == "");

    // By eights of depths: outermost, what is in one innermost.
    made = before;
    operands = {"x", "x_1"};
    REQUIRE(detail::arrange_where_legal(made, loop_schedule().split("k", 8, "eights", "one")));
    REQUIRE(detail::halve_operands(made, "r", operands, element_type::float16, "eights"));
    CHECK(to_text(made).find("scratch x_half: float16[2, 2, 6, 8]") != std::string::npos);
    CHECK(to_text(made).find("scratch x_1_half: float16[2, 2, 5, 8]") != std::string::npos);
    CHECK(difference(before, made) == "");
}

TEST_CASE("operands that are no inputs, or go by no eights, are not halved") {
    const loop_nest computed = lowered({{6, 16}, {16, 5}}, [](ir_builder& b, const auto& x) {
        return b.call("onnx.MatMul", {b.call("onnx.MatMul", {x[0], x[1]}), b.call("onnx.Transpose", {x[1]})});
    });
    for (const nest_buffer& b : computed.buffers) {
        if (b.scope != buffer_scope::scratch) continue;
        loop_nest made = computed;
        std::vector<std::string> operands{"x", "nobody"};
        CHECK_FALSE(detail::halve_operands(made, b.name, operands));
        CHECK(made == computed);
    }
    loop_nest made = lowered({{6, 12}, {12, 5}}, [](ir_builder& b, const auto& x) { return b.call("onnx.MatMul", {x[0], x[1]}); });
    REQUIRE(detail::arrange_where_legal(made, loop_schedule().split("k", 4, "fours", "one")));
    std::vector<std::string> operands{"x", "x_1"};
    CHECK_FALSE(detail::halve_operands(made, "r", operands, element_type::float16, "fours"));
    CHECK(operands == std::vector<std::string>{"x", "x_1"});
}
