// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/solve_once.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"
#include "all_covers.hpp"
#include "planned.hpp"

using namespace inlay;

TEST_CASE("exact is no dearer than any other way to decide, as cheap as trying all, and each takes only what it may") {
    const toys::list backends;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 2 + seed % 6);
        const plan_options options;
        const auto question = planning_problem_of(m, backends, options);
        REQUIRE(question.has_value());
        covers::flat_bound bound;
        const price_cache prices(m, backends, question->set, bound, 0);
        const auto exact = solve_once(*question, prices, partitioner::exact());
        REQUIRE(exact.has_value());
        CHECK(exact->made.name == "exact");
        CHECK(exact->made.status == selection_status::optimal);
        CHECK_FALSE(exact->stated.has_value());
        for (const partitioner& way :
             {partitioner::exhaustive(), partitioner::eager(), partitioner::single("chains"), partitioner::single("reference")}) {
            const auto other = solve_once(*question, prices, way);
            REQUIRE(other.has_value());
            if (!other->made.seconds) continue;
            CHECK(*other->made.seconds >= *exact->made.seconds - 1e-9);
            CHECK(other->made.name == to_string(way));
            if (way == partitioner::exhaustive()) CHECK(*other->made.seconds == doctest::Approx(*exact->made.seconds));
            if (way == partitioner::single("reference"))
                for (const std::size_t c : other->made.chosen) CHECK(question->set.candidates[c].backend == 1);
        }
    }
}

TEST_CASE("who is preferred gets what it can take, and what that costs is no fine") {
    const toys::list backends;
    const ir_module m = toys::random_program(3, 8);
    plan_options options;
    options.prefer = "reference";
    options.keep_problem = true;
    for (const bool is_ruled : {false, true}) {
        if (is_ruled) options.limits = {{plan_amount::seconds, 1e6, {}, "much time"}};
        const auto question = planning_problem_of(m, backends, options);
        REQUIRE(question.has_value());
        covers::flat_bound bound;
        const price_cache prices(m, backends, question->set, bound, 0);
        const auto made = solve_once(*question, prices, partitioner::exact());
        REQUIRE_MESSAGE(made.has_value(), made.failure().message);
        for (const std::size_t c : made->made.chosen) CHECK(question->set.candidates[c].backend == 1);
        CHECK(*made->made.seconds == doctest::Approx(8));
        // Limits are in no plain problem.
        CHECK(made->stated.has_value() == !is_ruled);
        CHECK(made->penalties.has_value() == !is_ruled);
    }
}

TEST_CASE("a cover that cannot be is a contender without seconds, with the node or the rules for a reason") {
    const toys::list backends;
    const tensor_type t = toys::image();
    const ir_module m = toys::program_of(t, [&](ir_builder& b, node_id x) { return b.call("onnx.Mul", {x, x}, {}, t); });
    plan_options options;
    options.fallback = "chains";
    const auto question = planning_problem_of(m, backends, options);
    REQUIRE(question.has_value());
    covers::flat_bound bound;
    const price_cache prices(m, backends, question->set, bound, 0);
    const auto open = solve_once(*question, prices, partitioner::single("chains"));
    REQUIRE(open.has_value());
    CHECK_FALSE(open->made.seconds.has_value());
    CHECK(open->made.reason ==
          "node " + std::to_string(question->set.to_cover[0]) +
              " (operator 'onnx.Mul') is left over: 'chains' does not take it there and the fallback 'chains' does not "
              "either; give a fallback that takes every node");
    options.limits = {{plan_amount::seconds, 0.5, {}, "half a second"}};
    const auto tight = solve_once(*question, prices, partitioner::exact());
    REQUIRE(tight.has_value());
    CHECK_FALSE(tight->made.seconds.has_value());
    CHECK(tight->made.reason == "no plan keeps to these constraints together: half a second");
}

TEST_CASE("every partitioner keeps what it can of the constraints, at the same cost for exhaustive as for exact, and refuses the rest") {
    const toys::list backends;
    std::size_t kept = 0;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 3 + seed % 5);
        plan_options options;
        const auto free = planning_problem_of(m, backends, options);
        REQUIRE(free.has_value());
        options.constraints = {{constraint_rule::pin, {free->set.to_cover.front()}, 1, 0, "the pin", {}},
                               {constraint_rule::forbid, {free->set.to_cover.back()}, 0, 0, "the other", {}}};
        std::optional<double> exact_seconds;
        for (const partitioner& way : {partitioner::exact(), partitioner::exhaustive(), partitioner::eager(), partitioner::single("chains"),
                                       partitioner::single("reference")}) {
            CAPTURE(to_string(way));
            options.partitioner = way;
            const auto made = toys::planned(m, backends, options);
            if (!made && way == partitioner::eager()) continue;
            REQUIRE_MESSAGE(made.has_value(), made.failure().message);
            for (const std::size_t c : made->chosen.chosen)
                for (const node_id n : made->set.candidates[c].nodes)
                    if (n == free->set.to_cover.front() || n == free->set.to_cover.back()) CHECK(made->set.candidates[c].backend == 1);
            if (way == partitioner::exact()) exact_seconds = made->chosen.seconds;
            if (way == partitioner::exhaustive()) CHECK(*made->chosen.seconds == doctest::Approx(*exact_seconds));
            kept += way == partitioner::eager();
        }
    }
    CHECK(kept > 5);
    const ir_module m = toys::random_program(3, 4);
    plan_options options;
    options.partitioner = partitioner::eager();
    options.limits = {{plan_amount::seconds, 1, {}, "one second"}};
    CHECK(toys::planned(m, backends, options).failure().message ==
          "partitioner 'eager' does not keep one second; use exact or single:KIND, or leave it out");
    options.limits.clear();
    options.objective = plan_objective::load;
    CHECK(toys::planned(m, backends, options).failure().message.find("'eager' does not keep the objective load") != std::string::npos);
    options.objective = plan_objective::latency;
    options.constraints = {{constraint_rule::prefer, {}, 0, 1, "the preference", {}}};
    CHECK(toys::planned(m, backends, options).failure().message.find("does not keep the preference") != std::string::npos);
    options.partitioner = partitioner::exhaustive();
    options.constraints = {{constraint_rule::separate, {}, 0, 1, "the separation", {}}};
    CHECK(toys::planned(m, backends, options).failure().message.find("'exhaustive' does not keep the separation") != std::string::npos);
}

TEST_CASE("what is preferred makes no plan of exhaustive dearer than it is") {
    const toys::list backends;
    const ir_module m = toys::random_program(5, 5);
    plan_options options;
    const auto free = planning_problem_of(m, backends, options);
    options.keep_problem = true;
    options.constraints = {{constraint_rule::prefer, free->set.to_cover, 1, 0.75, "the preference", {}}};
    const auto exact = toys::planned(m, backends, options);
    options.partitioner = partitioner::exhaustive();
    const auto tried = toys::planned(m, backends, options);
    REQUIRE((exact && tried));
    CHECK(*tried->chosen.seconds == doctest::Approx(*exact->chosen.seconds));
    REQUIRE((tried->penalties && exact->penalties));
    CHECK(*tried->penalties == doctest::Approx(*exact->penalties));
}
