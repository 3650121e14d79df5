// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/stated_constraints.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

using namespace inlay;

namespace {

double flat(const tensor_type&, const format&, const format&) { return 0.5; }

/// A rectifier behind a sum, which the first back end takes as one.
ir_module sum_and_rectifier() {
    const tensor_type t = toys::image();
    return toys::program_of(t, [&](ir_builder& b, node_id x) { return b.call("onnx.Relu", {b.call("onnx.Add", {x, x}, {}, t)}, {}, t); });
}

}  // namespace

TEST_CASE(
    "constraints keep their order and speak of the problem's nodes; a preference stands behind them, and limits know whose they are") {
    const ir_module m = sum_and_rectifier();
    const toys::list backends;
    plan_options options;
    const auto free = planning_problem_of(m, backends, options);
    REQUIRE(free.has_value());
    const std::vector<node_id> n = free->set.to_cover;
    options.prefer = "reference";
    options.constraints = {{constraint_rule::keep, {n[1]}, 1, 0, "K", {}}, {constraint_rule::part_limit, {}, 0, 0, "L", {}}};
    options.constraints[1].cap.most_nodes = 1;
    options.limits = {{plan_amount::peak_bytes, 1e9, {}, "peak"}, {plan_amount::seconds, 9, {}, "time"}};
    const auto question = planning_problem_of(m, backends, options);
    REQUIRE(question.has_value());
    const std::vector<double> seconds(question->set.candidates.size(), 1.0);
    const selection_problem stated = state_problem(m, question->set, seconds, flat);
    const auto rules = search_rules_of(*question, stated);
    REQUIRE_MESSAGE(rules.has_value(), rules.failure().message);
    REQUIRE(rules->constraints.size() == 3);
    CHECK(rules->constraints[0].rule == constraint_rule::within);
    REQUIRE(rules->constraints[0].nodes.size() == 1);
    CHECK(stated.node_of[rules->constraints[0].nodes[0]] == n[1]);
    for (std::size_t k = 0; k < stated.candidate_of.size(); ++k) {
        const std::size_t of = stated.candidate_of[k];
        const bool is_too_much =
            of != selection_problem::none && question->set.candidates[of].backend == 0 && question->set.candidates[of].nodes.size() > 1;
        CHECK(rules->constraints[1].amounts[k] == (is_too_much ? 1 : 0));
    }
    CHECK(rules->constraints[2].rule == constraint_rule::prefer);
    CHECK(rules->constraints[2].backend == 1);
    CHECK(rules->constraints[2].worth == fine_per_node);
    CHECK(rules->constraints[2].nodes.size() == n.size());
    REQUIRE(rules->limit_of.size() == rules->limits.size());
    CHECK(rules->limit_of.front() == 0);
    CHECK(rules->limit_of.back() == 1);
    CHECK(rules->limits.back().what == cost_as_quantity(stated.numbers));
    CHECK(rules->has({constraint_rule::prefer}));
    CHECK_FALSE(rules->has({constraint_rule::colocate, constraint_rule::separate}));
}

TEST_CASE("seconds under rules are infinite for what is ruled out, and dearer for what is not preferred") {
    const ir_module m = sum_and_rectifier();
    const toys::list backends;
    plan_options options;
    const auto free = planning_problem_of(m, backends, options);
    REQUIRE(free.has_value());
    const std::vector<node_id> n = free->set.to_cover;
    options.constraints = {{constraint_rule::forbid, {n[0]}, 0, 0, "F", {}}, {constraint_rule::prefer, {n[1]}, 1, 3, "P", {}}};
    const auto question = planning_problem_of(m, backends, options);
    REQUIRE(question.has_value());
    const std::vector<double> seconds(question->set.candidates.size(), 1.0);
    const selection_problem stated = state_problem(m, question->set, seconds, flat);
    const auto rules = search_rules_of(*question, stated);
    REQUIRE_MESSAGE(rules.has_value(), rules.failure().message);
    const std::vector<double> under = seconds_under(*rules, stated, seconds);
    for (std::size_t c = 0; c < under.size(); ++c) {
        const candidate& k = question->set.candidates[c];
        const bool has_first = k.nodes.front() == n[0], has_second = k.nodes.back() == n[1];
        CHECK(under[c] == (k.backend == 0 && has_first ? impossible : k.backend == 0 && has_second ? 4.0 : 1.0));
    }
}

TEST_CASE("a rule that is none is refused in a sentence") {
    const ir_module m = sum_and_rectifier();
    const toys::list backends;
    plan_options options;
    options.limits = {{plan_amount::seconds, -1, {}, "less than nothing"}};
    const auto question = planning_problem_of(m, backends, options);
    REQUIRE(question.has_value());
    const std::vector<double> seconds(question->set.candidates.size(), 1.0);
    const auto refused = search_rules_of(*question, state_problem(m, question->set, seconds, flat));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.failure().message.find("less than nothing") != std::string::npos);
}
