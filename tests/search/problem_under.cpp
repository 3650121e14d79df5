// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/problem_under.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/constrained/select_constrained.hpp>
#include <inlay/search/select.hpp>

#include "random_problem.hpp"

TEST_CASE("the problem that constraints make has the optimum under them, unless nodes are joined") {
    std::size_t found = 0;
    inlay::each_coverable_problem(600, 6, [&](std::uint64_t seed, const inlay::problem& p) {
        inlay::random_numbers numbers{seed + 50};
        std::vector<inlay::constraint> constraints;
        const inlay::constraint_rule rules[] = {inlay::constraint_rule::pin, inlay::constraint_rule::forbid, inlay::constraint_rule::prefer,
                                                inlay::constraint_rule::keep, inlay::constraint_rule::part_limit};
        for (std::uint32_t count = 1 + numbers.below(2); count > 0; --count) {
            const inlay::problem_candidate& like = p.candidates[numbers.below(static_cast<std::uint32_t>(p.candidates.size()))];
            constraints.push_back(
                {rules[numbers.below(5)], like.nodes, like.backend, numbers.quarters(5), static_cast<double>(1 + numbers.below(2))});
        }
        std::vector<inlay::candidate_index> number;
        const inlay::problem under = inlay::problem_under(p, constraints, &number);
        const auto answer = inlay::select_constrained(p, constraints);
        const auto plain = inlay::select(under);
        CHECK_MESSAGE(plain.cost == answer.found.cost, "seed " << seed);
        if (!plain.cost) return;
        ++found;
        std::vector<inlay::candidate_index> chosen;
        for (const auto c : plain.chosen) chosen.push_back(number[c]);
        CHECK(chosen == answer.found.chosen);
    });
    CHECK(found > 250);
}
