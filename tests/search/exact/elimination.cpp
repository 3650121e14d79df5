// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/exact/elimination.hpp>

#include <doctest/doctest.h>

#include "search/random_model.hpp"

TEST_CASE("elimination equals trying every assignment: cost, assignment and all marginals") {
    std::size_t solvable = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        CAPTURE(seed);
        const inlay::cost_network m = inlay::random_model(seed);
        const auto rule = seed % 2 == 0 ? inlay::elimination_rule::least_weight : inlay::elimination_rule::least_weight_and_fill;
        const auto plan = inlay::plan_elimination(m, rule, {1e9});
        inlay::elimination solved(m, plan);
        inlay::fixed_cost least = 0;
        const auto tried = inlay::tried_marginals(m, least);
        CHECK(solved.cost() == least);
        CHECK(solved.marginals().items == tried.items);
        if (least >= inlay::infinite_cost) {
            CHECK(solved.dead_end().has_value());
            continue;
        }
        ++solvable;
        CHECK(inlay::evaluate(m, solved.assignment()) == least);
    }
    CHECK(solvable > 1000);
}
