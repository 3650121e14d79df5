// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/constrained/pareto.hpp>

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/constrained/live_bytes.hpp>

#include "search/all_covers.hpp"

TEST_CASE("a list has every cover that none beats, and no other") {
    std::size_t lists = 0, points = 0;
    inlay::each_coverable_problem(900, 6, [&](std::uint64_t seed, const inlay::problem& p) {
        const inlay::problem_index index(p);
        inlay::random_numbers numbers{seed + 15};
        std::vector<inlay::quantity> second;
        if (numbers.chance(50)) {
            inlay::tensor_bytes bytes;
            for (inlay::node_id v = 0; v < p.nodes; ++v) bytes.of_node.push_back(numbers.below(9));
            for (std::size_t c = 0; c < p.candidates.size(); ++c) bytes.workspace.push_back(numbers.below(12));
            second = inlay::quantities_of(inlay::live_bytes(p, bytes));
        } else {
            second.push_back(inlay::random_quantity(p, numbers));
        }
        std::vector<inlay::limit> limits;
        if (numbers.chance(20)) limits.push_back({inlay::random_quantity(p, numbers), numbers.real(25), ""});
        std::vector<std::pair<double, double>> all;
        for (const auto& cover : inlay::all_covers(index)) {
            bool keeps = true;
            for (const auto& one : limits)
                keeps = keeps && inlay::keeps_limit(*inlay::quantity_of(index, one.what, cover.chosen), one.most);
            if (keeps) all.emplace_back(cover.cost, inlay::largest_of(index, second, cover.chosen));
        }
        std::sort(all.begin(), all.end());
        // Of costs and amounts that are equal but for rounding one counts.
        std::vector<std::pair<double, double>> best;
        for (const auto& [cost, amount] : all) {
            if (!best.empty() && amount >= best.back().second * (1 - 1e-8)) continue;
            if (!best.empty() && cost <= best.back().first * (1 + 1e-9)) best.pop_back();
            best.emplace_back(cost, amount);
        }
        const inlay::pareto_list list = inlay::pareto(p, second, {}, limits);
        CHECK_MESSAGE(list.points.size() == best.size(), "seed " << seed);
        if (best.empty()) {
            CHECK(list.status == inlay::selection_status::infeasible);
            CHECK_FALSE(list.reason.empty());
            return;
        }
        ++lists;
        CHECK_MESSAGE(list.complete, "seed " << seed);
        CHECK_FALSE(list.beyond_costs);
        for (std::size_t i = 0; i < std::min(best.size(), list.points.size()); ++i) {
            ++points;
            const inlay::pareto_point& point = list.points[i];
            CHECK_MESSAGE(point.cost == doctest::Approx(best[i].first).epsilon(1e-8), "seed " << seed);
            CHECK_MESSAGE(point.second == doctest::Approx(best[i].second).epsilon(1e-8), "seed " << seed);
            CHECK(point.cost == *inlay::cover_cost(index, point.chosen));
            CHECK(point.second == inlay::largest_of(index, second, point.chosen));
            CHECK(point.is_proved());
        }
    });
    CHECK(lists > 600);
    CHECK(points > 1500);
}

TEST_CASE("a list that ends early says from where on nothing was looked at") {
    inlay::problem p;
    p.nodes = 3;
    p.edges = {{0, 1}, {1, 2}};
    inlay::quantity energy;
    for (inlay::node_id v = 0; v < 3; ++v)
        for (inlay::backend_id b = 0; b < 2; ++b) {
            p.candidates.push_back({.nodes = {v}, .cost = b == 0 ? 1.0 : 2.0 + v, .backend = b});
            energy.of_candidate.push_back(b == 0 ? 5 : 1);
        }
    const std::vector<inlay::quantity> second = {energy};
    const inlay::pareto_list whole = inlay::pareto(p, second);
    REQUIRE(whole.points.size() == 4);
    CHECK(whole.complete);
    CHECK(whole.points[0].cost == 3);
    CHECK(whole.points[0].second == 15);
    CHECK(whole.points[3].cost == 9);
    CHECK(whole.points[3].second == 3);

    inlay::pareto_options two;
    two.most_points = 2;
    const inlay::pareto_list some = inlay::pareto(p, second, two);
    REQUIRE(some.points.size() == 2);
    CHECK_FALSE(some.complete);
    REQUIRE(some.beyond_costs);
    CHECK(*some.beyond_costs <= whole.points[2].cost);
    CHECK(*some.beyond_costs == doctest::Approx(some.points[1].cost));

    inlay::pareto_options coarse;
    coarse.largest_share = 0.5;
    const inlay::pareto_list steps = inlay::pareto(p, second, coarse);
    REQUIRE(steps.points.size() == 3);
    CHECK_FALSE(steps.complete);
    CHECK(steps.points[0].at_most == inlay::impossible);
    CHECK(steps.points[1].at_most == 7.5);
    CHECK(steps.points[1].second == 7);
    CHECK(steps.points[2].second == 3);

    const std::atomic<bool> stop{true};
    inlay::pareto_options stopped;
    stopped.search.cancel = &stop;
    const inlay::pareto_list first = inlay::pareto(p, second, stopped);
    CHECK_FALSE(first.complete);
    if (!first.points.empty()) CHECK(first.beyond_costs);
    CHECK(inlay::pareto(p, {}).reason == "there is no second objective; give at least one quantity.");
    inlay::problem nothing;
    const inlay::pareto_list none = inlay::pareto(nothing, second.empty() ? second : std::vector<inlay::quantity>{{.always = 3}});
    REQUIRE(none.points.size() == 1);
    CHECK(none.points[0].second == 3);
}

TEST_CASE("under a budget the points of hundreds of nodes are covers, and their bounds are sound") {
    const inlay::problem p = inlay::random_network(inlay::topology::residual(10, 8), 2);
    const inlay::problem_index index(p);
    inlay::random_numbers numbers{3};
    inlay::quantity energy;
    for (std::size_t c = 0; c < p.candidates.size(); ++c) energy.of_candidate.push_back(50 / (1 + p.candidates[c].cost) + numbers.real(3));
    const std::vector<inlay::quantity> second = {energy};
    inlay::pareto_options options;
    options.search.budget_ms = 3000;
    options.largest_share = 0.97;
    const inlay::pareto_list list = inlay::pareto(p, second, options);
    REQUIRE(list.points.size() > 3);
    std::size_t proved = 0;
    for (std::size_t i = 0; i < list.points.size(); ++i) {
        const inlay::pareto_point& point = list.points[i];
        CHECK(point.cost == *inlay::cover_cost(index, point.chosen));
        CHECK(point.cost_bound <= point.cost);
        CHECK(point.second_bound <= point.second);
        proved += point.is_proved() ? 1u : 0u;
        // No later point contradicts an earlier one's bound.
        for (std::size_t j = i; j < list.points.size(); ++j) CHECK(list.points[j].cost >= point.cost_bound * (1 - 1e-9));
    }
    MESSAGE(list.points.size() << " points, " << proved << " proved");
    CHECK(proved * 2 >= list.points.size());
}

TEST_CASE("where no points are asked for nothing is called infeasible") {
    inlay::problem p;
    p.nodes = 1;
    p.candidates = {{.nodes = {0}, .cost = 1}};
    const std::vector<inlay::quantity> second = {inlay::cost_as_quantity(p)};
    inlay::pareto_options how;
    how.most_points = 0;
    const inlay::pareto_list none = inlay::pareto(p, second, how);
    CHECK(none.points.empty());
    CHECK(none.status == inlay::selection_status::gap);
    CHECK_FALSE(none.reason.empty());
    CHECK_FALSE(none.complete);
}
