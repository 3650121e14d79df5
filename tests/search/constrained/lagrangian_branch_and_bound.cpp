// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/constrained/lagrangian_branch_and_bound.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "search/all_covers.hpp"

namespace {

/// A limit that the cheapest cover breaks: of an amount that is small where a candidate is dear.
inlay::quantity against_cost(const inlay::problem& p, std::uint64_t seed) {
    inlay::random_numbers numbers{seed};
    inlay::quantity made;
    for (const auto& c : p.candidates)
        made.of_candidate.push_back(numbers.real(3) * static_cast<double>(c.nodes.size()) + 60 / (1 + c.cost));
    return made;
}

inlay::limited_answer search(const inlay::problem_index& index, const std::vector<inlay::quantity>& quantities,
                             const std::vector<double>& most, inlay::search_aim aim, const inlay::select_options& options) {
    std::vector<const inlay::quantity*> pointers;
    inlay::limited_task task;
    task.aim = aim;
    task.admitted.assign(index.candidates(), 1);
    for (std::size_t i = 0; i < quantities.size(); ++i) {
        pointers.push_back(&quantities[i]);
        task.limited.push_back(i);
        task.most.push_back(most[i]);
    }
    const inlay::deadline end(options.budget_ms, options.cancel);
    return inlay::detail::lagrangian_branch_and_bound(index, pointers, task, options, end).run();
}

}  // namespace

TEST_CASE("chains and ladders of hundreds of nodes are solved within limits, and the bound is never above what keeps them") {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        std::pair<std::uint32_t, inlay::topology::edges> wiring = {300, {}};
        for (inlay::node_id v = 1; v < wiring.first; ++v) wiring.second.push_back({v - 1, v});
        if (seed % 2 == 0) wiring = inlay::topology::residual(16, 10);
        const inlay::problem p = inlay::random_network(wiring, seed);
        const inlay::problem_index index(p);
        std::vector<inlay::quantity> quantities;
        std::vector<double> most;
        const auto cheapest = inlay::select(p);
        for (std::uint64_t k = 0; k < 1 + seed % 3; ++k) {
            quantities.push_back(against_cost(p, seed * 10 + k));
            most.push_back(0.85 * *inlay::quantity_of(index, quantities.back(), cheapest.chosen));
        }
        inlay::select_options options;
        options.budget_ms = 4000;
        const auto answer = search(index, quantities, most, inlay::search_aim::cost, options);
        REQUIRE_MESSAGE(answer.value, "seed " << seed);
        CHECK(*answer.value == *inlay::cover_cost(index, answer.chosen));
        CHECK(*answer.lower_bound <= *answer.value);
        CHECK(*answer.lower_bound >= *cheapest.lower_bound * (1 - 1e-9));
        for (std::size_t k = 0; k < most.size(); ++k)
            CHECK(inlay::keeps_limit(*inlay::quantity_of(index, quantities[k], answer.chosen), most[k]));
        const double gap = 1 - *answer.lower_bound / *answer.value;
        MESSAGE("seed " << seed << ": " << p.nodes << " nodes, " << most.size() << " limits, " << std::string(name_of(answer.status))
                        << ", cost " << *answer.value << ", gap " << gap);
        CHECK(gap < 5e-3);
        // Another search, with no time to speak of, is bounded by what this one found, and this one by that.
        options.budget_ms = 100;
        const auto quick = search(index, quantities, most, inlay::search_aim::cost, options);
        CHECK(*quick.lower_bound <= *answer.value);
        if (quick.value) CHECK(*quick.value >= *answer.lower_bound);
    }
}

TEST_CASE("a search without a budget gives the same answer again, and any cover will do where nothing is made least") {
    const inlay::problem p = inlay::random_network(inlay::topology::residual(6, 6), 9);
    const inlay::problem_index index(p);
    const std::vector<inlay::quantity> quantities = {against_cost(p, 3), against_cost(p, 4)};
    std::vector<double> most;
    const auto cheapest = inlay::select(p);
    for (const auto& q : quantities) most.push_back(0.85 * *inlay::quantity_of(index, q, cheapest.chosen));
    const auto once = search(index, quantities, most, inlay::search_aim::cost, {});
    const auto again = search(index, quantities, most, inlay::search_aim::cost, {});
    CHECK(once.status == inlay::selection_status::optimal);
    CHECK(once.chosen == again.chosen);
    CHECK(once.lower_bound == again.lower_bound);
    CHECK(once.effort == again.effort);
    CHECK(once.multipliers == again.multipliers);
    const auto any = search(index, quantities, most, inlay::search_aim::any, {});
    REQUIRE(any.value);
    for (std::size_t k = 0; k < most.size(); ++k) CHECK(inlay::keeps_limit(*inlay::quantity_of(index, quantities[k], any.chosen), most[k]));
    for (double& m : most) m *= 0.1;
    CHECK(search(index, quantities, most, inlay::search_aim::any, {}).status == inlay::selection_status::infeasible);
}

TEST_CASE("covers that the caller knows are never beaten by the answer") {
    const inlay::problem p = inlay::random_network(inlay::topology::residual(4, 5), 4);
    const inlay::problem_index index(p);
    const std::vector<inlay::quantity> quantities = {against_cost(p, 3)};
    const auto cheapest = inlay::select(p);
    const std::vector<double> most = {0.9 * *inlay::quantity_of(index, quantities[0], cheapest.chosen)};
    const auto best = search(index, quantities, most, inlay::search_aim::cost, {});
    REQUIRE(best.value);
    inlay::select_options options;
    options.known_covers = {{0}, {99999}, best.chosen};
    const auto known = search(index, quantities, most, inlay::search_aim::cost, options);
    CHECK(*known.value == *best.value);
}
