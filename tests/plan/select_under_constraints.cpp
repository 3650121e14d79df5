// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/select_under_constraints.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"
#include "all_covers.hpp"

using namespace inlay;

namespace {

double flat(const tensor_type&, const format&, const format&) { return 0.2; }

/// What the back ends state for each candidate.
std::vector<double> stated_seconds(const ir_module& m, const candidate_set& set) {
    const user_lists users(m);
    std::vector<double> seconds;
    for (const candidate& c : set.candidates) {
        const region r(m, users, results_of(m), c.nodes);
        seconds.push_back(
            toys::list().visit(c.backend, [&](const auto& b) { return *b.price(r.view(c.formats.inputs, c.formats.results)); }));
    }
    return seconds;
}

}  // namespace

TEST_CASE("of all covers within a limit the cheapest is chosen, and of those best by an objective the cheapest of them") {
    for (std::uint32_t seed = 0; seed < 12; ++seed)
        for (const plan_objective objective : {plan_objective::latency, plan_objective::peak, plan_objective::load}) {
            CAPTURE(seed);
            CAPTURE(name_of(objective));
            const ir_module m = toys::random_program(seed, 2 + seed % 4);
            const toys::list backends;
            plan_options options;
            options.objective = objective;
            options.limits = {{plan_amount::load, 2.5, {1}, "the second back end"}};
            const auto question = planning_problem_of(m, backends, options);
            REQUIRE(question.has_value());
            const selection_problem stated = state_problem(m, question->set, stated_seconds(m, question->set), flat);
            const auto rules = search_rules_of(*question, stated);
            REQUIRE(rules.has_value());
            const std::vector<quantity> amounts = amounts_of(m, stated, objective, backends.chosen());
            const ruled_selection made = select_under_constraints(stated, *rules, amounts, options);

            const problem_index index(stated.numbers);
            const std::vector<covers::weighed> all = covers::all_of(stated.numbers, amounts);
            const covers::weighed* best = nullptr;
            for (const covers::weighed& one : all) {
                if (*quantity_of(index, rules->limits[0].what, one.chosen) > 2.5 + 1e-9) continue;
                const bool is_smaller = best == nullptr || one.largest < best->largest - 1e-9;
                const bool is_as_small = best != nullptr && one.largest <= best->largest + 1e-9;
                if (is_smaller || (is_as_small && one.cost < best->cost)) best = &one;
            }
            REQUIRE(made.cheapest.found.cost.has_value() == (best != nullptr));
            if (best == nullptr) {
                CHECK(made.clash == std::vector<std::string>{"the second back end"});
                continue;
            }
            CHECK(made.clash.empty());
            CHECK(*made.cheapest.found.cost == doctest::Approx(best->cost));
            CHECK(*made.cheapest.price == doctest::Approx(best->cost));
            CHECK(made.value.has_value() == (objective != plan_objective::latency));
            if (!made.value) continue;
            CHECK(*made.value == doctest::Approx(best->largest));
            CHECK(*made.value_bound <= *made.value);
        }
}
