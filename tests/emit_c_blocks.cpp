// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/emit_c_blocks.hpp>

#include <cstddef>
#include <string>

#include <doctest/doctest.h>

#include "backend/control_flow/leaving_as_c.hpp"

using namespace looped;

TEST_CASE("bodies become functions, and what is computed in two of them stands once [c.control]") {
    const ir_module m = of_body({flag, row()}, [](ir_builder& b, auto& x) {
        const node_id yes = side(b, [&] { return b.call("onnx.Transpose", {b.call("onnx.ReduceSum", {x[1]})}); });
        const node_id no = side(b, [&] { return b.call("onnx.ReduceSum", {x[1]}); });
        return b.if_else(x[0], yes, no);
    });
    const auto program = as_c(m);
    REQUIRE_MESSAGE(program.has_value(), (program ? std::string() : program.failure().message));
    const std::string& text = program->functions;
    CHECK(text.find("static void net_if_then(") != std::string::npos);
    CHECK(text.find("static void net_if_else(") != std::string::npos);
    CHECK(program->calls.size() == 1);
    std::size_t sums = 0;
    for (std::size_t at = 0; (at = text.find("_reduce_sum(const", at)) != std::string::npos; ++at) ++sums;
    CHECK_MESSAGE(sums == 1, text);
}

TEST_CASE("without functions of its bodies, a branch has no C and says what makes them [c.control]") {
    c_list backends;
    const lifted_control c = lifted(branch());
    const block_plans plans = planned_for_c(c, backends);
    const auto program = emit_c_program(c.program, backends, plans.main.set, plans.main.cut);
    REQUIRE_FALSE(program);
    CHECK(program.failure().message.find("emit the program with `emit_c_blocks`") != std::string::npos);
}

TEST_CASE("a body without C is told by its number [c.control]") {
    const lifted_control c = lifted(branch());
    list backends;
    const block_plans plans = planned(c, backends);
    body_failures failed;
    const auto made = emit_c_bodies(
        c.bodies.size(), backends, [&](std::size_t i) -> const ir_module& { return c.bodies[i]; },
        [&](std::size_t i) -> const plan& { return plans.bodies[i]; }, &failed);
    REQUIRE_FALSE(made);
    CHECK(made.failure().message.find("body 0 of its control flow: back end 'reference' has no C for composite 'any'") == 0);
    CHECK(failed.body == 0);
    CHECK(failed.failures.empty());
}
