// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/plan_objective.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"
#include "all_covers.hpp"

#include <inlay/partition/verify.hpp>
#include <inlay/pipeline.hpp>

using namespace inlay;

namespace {

/// Knows of the second back end alone.
struct half_known : covers::counted_energies {
    using covers::counted_energies::operator();
    [[nodiscard]] std::optional<double> operator()(const candidate& c) const {
        return c.backend == 1 ? std::optional<double>(1) : std::nullopt;
    }
};

}  // namespace

static_assert(objective_named("peak") == plan_objective::peak);
static_assert(!objective_named("speed"));

TEST_CASE("an objective is found by its word") {
    for (const plan_objective each : plan_objectives) CHECK(objective_named(name_of(each)) == each);
}

TEST_CASE("the least peak, load or energy is what trying all covers finds, and the plan is the cheapest with it") {
    for (std::uint32_t seed = 0; seed < 16; ++seed)
        for (const plan_objective objective : {plan_objective::peak, plan_objective::load, plan_objective::energy}) {
            CAPTURE(seed);
            CAPTURE(name_of(objective));
            const ir_module m = toys::random_program(seed, 2 + seed % 4);
            covers::flat_meter meter;
            plan_options options;
            options.keep_problem = true;
            const covers::counted_energies energies;
            options.energies = energies;
            const auto fastest = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
            REQUIRE(fastest.has_value());
            const selection_problem& stated = *fastest->stated;
            const std::vector<covers::weighed> all = covers::all_of(stated.numbers, covers::amounts_of(objective, m, stated));
            double least = impossible, cost = impossible;
            for (const covers::weighed& one : all) least = std::min(least, one.largest);
            for (const covers::weighed& one : all)
                if (keeps_limit(one.largest, least)) cost = std::min(cost, one.cost);
            options.objective = objective;
            const auto made = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
            REQUIRE_MESSAGE(made.has_value(), made.failure().message);
            CHECK(made->objective == objective);
            CHECK(made->chosen.status == selection_status::optimal);
            CHECK(*made->chosen.value == doctest::Approx(least));
            CHECK(*made->chosen.value_bound == doctest::Approx(least));
            CHECK(*made->chosen.seconds == doctest::Approx(cost));
            CHECK(*made->chosen.lower_bound == doctest::Approx(cost));
            CHECK_FALSE(made->stated.has_value());
            for (const law_check& l : verify(m, made->set, made->cut)) CHECK_MESSAGE(l.holds, l.law, ": ", l.witness);
        }
}

TEST_CASE("energy is an objective where everybody says what he takes, and otherwise the one who does not is told") {
    const ir_module m = toys::random_program(3, 4);
    covers::flat_meter meter;
    plan_options options;
    options.objective = plan_objective::energy;
    const auto unknown = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
    REQUIRE_FALSE(unknown);
    CHECK(unknown.failure().message == "the objective energy needs to know what pieces take; set `plan_options::energies`");
    const half_known energies;
    options.energies = energies;
    const auto silent = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
    REQUIRE_FALSE(silent);
    CHECK(silent.failure().message == "nobody says what energy back end 'chains' takes; leave it out, or choose another objective");
}
