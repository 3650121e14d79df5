// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan_blocks.hpp>

#include <doctest/doctest.h>

#include "backend/control_flow/looped.hpp"

using namespace looped;

TEST_CASE("each body has a plan of its own, and constraints about nodes are about what is left of the program") {
    list backends;
    const lifted_control c = lifted(branch());
    plan_options options;
    plan_constraint pinned;
    pinned.rule = constraint_rule::pin;
    pinned.backend = 1;
    pinned.text = "pinned";
    for (node_id n = 0; n < c.program.size(); ++n)
        if (c.program.op(n) == "onnx.Abs") pinned.nodes = {n};
    options.constraints = {pinned};
    const block_plans plans = planned(c, backends, options);
    REQUIRE(plans.bodies.size() == 2);
    CHECK(plans.bodies[0].set.to_cover.size() == 2);
    CHECK(plans.main.set.to_cover.size() == 2);
    CHECK(plans.main.cut.parts.size() == 2);
}

TEST_CASE("a body that nobody takes says which body it is") {
    const ir_module m = of_body({flag, row()}, [](ir_builder& b, auto& x) {
        const node_id yes = side(b, [&] { return b.call("mine.Unknown", {x[1]}, {}, row()); });
        const node_id no = side(b, [&] { return b.call("onnx.Neg", {x[1]}); });
        return b.if_else(x[0], yes, no);
    });
    const auto made = lift_control(m, onnx_ops());
    REQUIRE_MESSAGE(made.has_value(), (made ? std::string() : made.failure().message));
    list backends;
    toys::no_meter meter;
    const auto plans = plan_blocks(*made, backends, meter, no_bound());
    REQUIRE_FALSE(plans.has_value());
    CHECK(plans.failure().message.starts_with("body 0 of its control flow: "));
    CHECK(plans.failure().message.find("mine.Unknown") != std::string::npos);
}
