// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/planning_problem.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

using namespace inlay;

TEST_CASE("a question has the candidates of the back ends that take part, and what constraints say of parts") {
    const ir_module m = toys::random_program(4, 6);
    const toys::list backends;
    plan_options options;
    const auto free = planning_problem_of(m, backends, options);
    REQUIRE(free.has_value());
    CHECK(free->set.candidates.size() == enumerate(m, backends).candidates.size());
    CHECK(free->parts.rules.empty());
    const node_id first = free->set.to_cover.front();
    options.constraints = {{constraint_rule::keep, {first}, 1, 0, "K", {}}};
    const auto kept = planning_problem_of(m, backends, options);
    REQUIRE(kept.has_value());
    CHECK(kept->parts.rules.kept == std::vector<std::vector<node_id>>{{first}});
    CHECK(kept->graph.size() == m.size());
    CHECK(&kept->graph.type(first) == &m.type(first));
    CHECK(&kept->options == &options);
}

TEST_CASE("what cannot be asked is told: an operator that nobody takes, and a part that cannot be") {
    const tensor_type t = toys::image();
    const ir_module strange = toys::program_of(t, [&](ir_builder& b, node_id x) { return b.call("onnx.Tanh", {x}, {}, t); });
    const auto open = planning_problem_of(strange, toys::list(), plan_options());
    REQUIRE_FALSE(open.has_value());
    CHECK(open.failure().message.starts_with("no chosen back end takes node "));
    const ir_module m = toys::random_program(4, 6);
    plan_options options;
    options.constraints = {{constraint_rule::keep, {}, 1, 0, "K", {}}};
    const auto empty = planning_problem_of(m, toys::list(), options);
    REQUIRE_FALSE(empty.has_value());
    CHECK(empty.failure().message == "K has no nodes, and would say nothing; give it some");
}
