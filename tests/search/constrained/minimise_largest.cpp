// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/constrained/minimise_largest.hpp>

#include <algorithm>
#include <atomic>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/constrained/live_bytes.hpp>
#include <inlay/search/constrained/loads.hpp>

#include "search/all_covers.hpp"

TEST_CASE("the least largest quantity is that of all covers that keep the limits") {
    std::size_t found = 0, better = 0, clashes = 0;
    inlay::each_coverable_problem(2000, 6, [&](std::uint64_t seed, const inlay::problem& p) {
        const inlay::problem_index index(p);
        const auto covers = inlay::all_covers(index);
        inlay::random_numbers numbers{seed + 600};
        std::vector<inlay::quantity> quantities;
        if (numbers.chance(40)) {
            for (inlay::backend_id b = 0; b < 3; ++b)
                quantities.push_back(inlay::load_of(p, std::vector<inlay::backend_id>{b}, std::vector<inlay::format_index>{b}));
        } else if (numbers.chance(50)) {
            inlay::tensor_bytes bytes;
            for (inlay::node_id v = 0; v < p.nodes; ++v) bytes.of_node.push_back(numbers.below(9));
            for (std::size_t c = 0; c < p.candidates.size(); ++c) bytes.workspace.push_back(numbers.below(12));
            quantities = inlay::quantities_of(inlay::live_bytes(p, bytes));
        } else {
            for (std::uint32_t count = 1 + numbers.below(4); count > 0; --count) quantities.push_back(inlay::random_quantity(p, numbers));
        }
        std::vector<inlay::limit> limits;
        if (numbers.chance(40)) limits.push_back({inlay::cost_as_quantity(p), numbers.real(25), "latency"});
        if (numbers.chance(30)) limits.push_back({inlay::random_quantity(p, numbers), numbers.real(25), "energy"});
        double best = inlay::impossible, plain = best, cheapest = best;
        for (const auto& cover : covers) {
            const double largest = inlay::largest_of(index, quantities, cover.chosen);
            if (cover.cost < cheapest) {
                cheapest = cover.cost;
                plain = largest;
            }
            bool keeps = true;
            for (const auto& one : limits)
                keeps = keeps && inlay::keeps_limit(*inlay::quantity_of(index, one.what, cover.chosen), one.most);
            if (keeps) best = std::min(best, largest);
        }
        const auto answer = inlay::minimise_largest(p, quantities, {}, limits);
        CHECK_MESSAGE(answer.largest.has_value() == (best < inlay::impossible), "seed " << seed);
        if (!answer.largest) {
            CHECK(answer.status == inlay::selection_status::infeasible);
            CHECK(answer.clash_limits.empty() == covers.empty());
            CHECK_FALSE(answer.reason.empty());
            clashes += covers.empty() ? 0u : 1u;
            return;
        }
        ++found;
        better += best < plain ? 1u : 0u;
        CHECK(answer.status == inlay::selection_status::optimal);
        CHECK_MESSAGE(*answer.largest <= best * (1 + 1e-9), "seed " << seed);
        CHECK_MESSAGE(*answer.lower_bound <= best * (1 + 1e-12), "seed " << seed);
        CHECK(*answer.lower_bound >= *answer.largest * (1 - 2e-9));
        CHECK(inlay::largest_of(index, quantities, answer.chosen) == *answer.largest);
        CHECK(*std::max_element(answer.amounts.begin(), answer.amounts.end()) == *answer.largest);
        CHECK(*answer.cost == *inlay::cover_cost(index, answer.chosen));
        for (std::size_t k = 0; k < limits.size(); ++k) CHECK(inlay::keeps_limit(answer.limit_amounts[k], limits[k].most));
    });
    CHECK(found > 1000);
    CHECK(better > 400);
    CHECK(clashes > 50);
}

TEST_CASE("constraints hold while the largest is made small") {
    // Two devices, four nodes of one second each: two and two, unless they stay together.
    inlay::problem p;
    p.nodes = 4;
    p.edges = {{0, 1}, {1, 2}, {2, 3}};
    for (inlay::node_id v = 0; v < 4; ++v)
        for (inlay::backend_id b = 0; b < 2; ++b) p.candidates.push_back({.nodes = {v}, .cost = 1, .backend = b});
    const std::vector<inlay::quantity> loads = {inlay::load_of(p, std::vector<inlay::backend_id>{0}),
                                                inlay::load_of(p, std::vector<inlay::backend_id>{1})};
    CHECK(*inlay::minimise_largest(p, loads).largest == 2);
    using rule = inlay::constraint_rule;
    const std::vector<inlay::constraint> together = {{rule::colocate, {0, 1, 3}}};
    CHECK(*inlay::minimise_largest(p, loads, together, {}).largest == 3);
    const std::vector<inlay::constraint> both = {{rule::colocate, {0, 1, 3}}, {rule::separate, {0, 1}}};
    const auto none = inlay::minimise_largest(p, loads, both, {});
    CHECK(none.status == inlay::selection_status::infeasible);
    CHECK(none.clash == std::vector<std::size_t>{0, 1});
    CHECK(inlay::minimise_largest(p, {}).reason == "there is no quantity to be made small; give at least one.");
    inlay::problem nothing;
    const std::vector<inlay::quantity> always = {{.always = 3}, {.always = 7}};
    CHECK(*inlay::minimise_largest(nothing, always).largest == 7);
    CHECK(*inlay::minimise_largest(p, always).largest == 7);
    CHECK(*inlay::minimise_largest(p, std::vector<inlay::quantity>(1)).largest == 0);
}

TEST_CASE("of hundreds of nodes the bound is sound and near what is found") {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const inlay::problem p = inlay::random_network(inlay::topology::residual(16, 10), seed);
        const inlay::problem_index index(p);
        std::vector<inlay::quantity> loads;
        for (inlay::backend_id b = 0; b < 4; ++b) loads.push_back(inlay::load_of(p, std::vector<inlay::backend_id>{b}));
        inlay::select_options options;
        options.budget_ms = 1500;
        const auto answer = inlay::minimise_largest(p, loads, options);
        REQUIRE(answer.largest);
        CHECK(*answer.lower_bound <= *answer.largest);
        const double gap = 1 - *answer.lower_bound / *answer.largest;
        MESSAGE("seed " << seed << ": largest load " << *answer.largest << ", gap " << gap);
        CHECK(gap < 0.02);
        // What other searches find is never below the bound.
        const auto cheapest = inlay::select(p);
        CHECK(inlay::largest_of(index, loads, cheapest.chosen) >= *answer.lower_bound);
    }
}
