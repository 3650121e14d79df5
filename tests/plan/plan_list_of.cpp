// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/plan_list_of.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"
#include "all_covers.hpp"

#include <inlay/partition/verify.hpp>
#include <inlay/plan/plan_of.hpp>

using namespace inlay;

namespace {

outcome<plan_list> listed(const ir_module& m, const plan_options& options, plan_objective second) {
    const toys::list backends;
    auto question = planning_problem_of(m, backends, options);
    if (!question) return question.failure();
    covers::flat_meter meter;
    covers::flat_bound bound;
    return plan_list_of(*std::move(question), meter, bound, second);
}

}  // namespace

TEST_CASE("a list goes from the plan with the least time to the one with the least of the second objective, each cut by the laws") {
    const toys::list backends;
    for (std::uint32_t seed = 0; seed < 10; ++seed)
        for (const plan_objective second : {plan_objective::peak, plan_objective::load}) {
            CAPTURE(seed);
            const ir_module m = toys::random_program(seed, 2 + seed % 6);
            const auto made = listed(m, plan_options(), second);
            REQUIRE_MESSAGE(made.has_value(), made.failure().message);
            REQUIRE_FALSE(made->points.empty());
            CHECK(made->second == second);
            CHECK(made->is_complete);
            for (std::size_t i = 1; i < made->points.size(); ++i) {
                CHECK(made->points[i - 1].seconds < made->points[i].seconds);
                CHECK(made->points[i - 1].second > made->points[i].second);
            }
            for (const plan_point& point : made->points) {
                CHECK(point.is_priced);
                for (const law_check& l : verify(m, made->programs.front().set, point.cut)) CHECK_MESSAGE(l.holds, l.law, ": ", l.witness);
            }
            plan_options options;
            for (const bool by_second : {false, true}) {
                if (by_second) options.objective = second;
                auto question = planning_problem_of(m, backends, options);
                REQUIRE(question.has_value());
                covers::flat_meter meter;
                covers::flat_bound bound;
                no_program_meter none;
                const auto best = plan_of(*std::move(question), meter, bound, none);
                REQUIRE(best.has_value());
                if (by_second)
                    CHECK(*best->chosen.value == doctest::Approx(made->points.back().second));
                else
                    CHECK(*best->chosen.seconds == doctest::Approx(made->points.front().seconds));
            }
        }
}

TEST_CASE("a list of nothing is an error that names the rules, and preferences have no place in one") {
    const ir_module m = toys::random_program(3, 6);
    plan_options tight;
    tight.limits = {{plan_amount::seconds, 0.1, {}, "little time"}};
    const auto none = listed(m, tight, plan_objective::load);
    REQUIRE_FALSE(none.has_value());
    CHECK(none.failure().message == "no plan keeps to these constraints together: little time");
    plan_options liking;
    liking.constraints = {{constraint_rule::prefer, {3}, 0, 1, "a liking", {}}};
    const auto refused = listed(m, liking, plan_objective::load);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.failure().message == "a liking is a preference, which has no place where plans are told by their time; leave it out");
}
