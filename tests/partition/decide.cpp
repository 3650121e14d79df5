// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/partition/decide.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"
#include "all_covers.hpp"

using namespace inlay;

TEST_CASE("exact is no dearer than any other way to decide, as cheap as trying all, and each takes only what it may") {
    const toys::list backends;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 2 + seed % 6);
        const plan_options options;
        const auto question = question_of(m, backends, options);
        REQUIRE(question.has_value());
        covers::flat_bound bound;
        const price_book prices(m, backends, question->set, bound, 0);
        const auto exact = decide(*question, prices, "exact");
        REQUIRE(exact.has_value());
        CHECK(exact->made.name == "exact");
        CHECK(exact->made.status == selection_status::optimal);
        CHECK_FALSE(exact->stated.has_value());
        for (const char* name : {"exhaustive", "eager", "single:chains", "single:reference"}) {
            const auto other = decide(*question, prices, name);
            REQUIRE(other.has_value());
            if (!other->made.seconds) continue;
            CHECK(*other->made.seconds >= *exact->made.seconds - 1e-9);
            if (std::string(name) == "exhaustive") CHECK(*other->made.seconds == doctest::Approx(*exact->made.seconds));
            if (std::string(name) == "single:reference")
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
        const auto question = question_of(m, backends, options);
        REQUIRE(question.has_value());
        covers::flat_bound bound;
        const price_book prices(m, backends, question->set, bound, 0);
        const auto made = decide(*question, prices, "exact");
        REQUIRE_MESSAGE(made.has_value(), made.failure().message);
        for (const std::size_t c : made->made.chosen) CHECK(question->set.candidates[c].backend == 1);
        CHECK(*made->made.seconds == doctest::Approx(8));
        // Limits are in no plain problem.
        CHECK(made->stated.has_value() == !is_ruled);
        CHECK(made->fines.has_value() == !is_ruled);
    }
}

TEST_CASE("a cover that cannot be is a contender without seconds, with the node or the rules for a reason") {
    const toys::list backends;
    const tensor_type t = toys::image();
    const ir_module m = toys::program_of(t, [&](ir_builder& b, node_id x) { return b.call("onnx.Mul", {x, x}, {}, t); });
    plan_options options;
    options.fallback = "chains";
    const auto question = question_of(m, backends, options);
    REQUIRE(question.has_value());
    covers::flat_bound bound;
    const price_book prices(m, backends, question->set, bound, 0);
    const auto open = decide(*question, prices, "single:chains");
    REQUIRE(open.has_value());
    CHECK_FALSE(open->made.seconds.has_value());
    CHECK(open->made.reason ==
          "node " + std::to_string(question->set.to_cover[0]) +
              " (operator 'onnx.Mul') is left over: 'chains' does not take it there and the fallback 'chains' does not "
              "either; give a fallback that takes every node");
    options.limits = {{plan_amount::seconds, 0.5, {}, "half a second"}};
    const auto tight = decide(*question, prices, "exact");
    REQUIRE(tight.has_value());
    CHECK_FALSE(tight->made.seconds.has_value());
    CHECK(tight->made.reason == "no plan keeps to these constraints together: half a second");
}
