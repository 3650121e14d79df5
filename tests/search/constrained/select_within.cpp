// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/constrained/select_within.hpp>

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "search/all_covers.hpp"

namespace {

std::vector<inlay::limit> random_limits(const inlay::problem& p, const inlay::problem_index& index,
                                        const std::vector<inlay::known_cover>& covers, inlay::random_numbers& numbers) {
    std::vector<inlay::limit> limits;
    for (std::uint32_t count = 1 + numbers.below(4); count > 0; --count) {
        inlay::limit one{inlay::random_quantity(p, numbers)};
        double least = 1e9, most = 0;
        for (const auto& cover : covers) {
            const double amount = *inlay::quantity_of(index, one.what, cover.chosen);
            least = std::min(least, amount);
            most = std::max(most, amount);
        }
        if (covers.empty()) least = 0;
        one.most = numbers.chance(5)    ? 0
                   : numbers.chance(10) ? least * 0.9
                                        : least + (most - least) * (numbers.chance(15) ? 0 : numbers.real(0.8));
        limits.push_back(std::move(one));
    }
    return limits;
}

}  // namespace

TEST_CASE("the cheapest cover within limits is the best of all covers that keep them, and what clashes is smallest") {
    std::size_t found = 0, clashes = 0, tight = 0;
    inlay::each_coverable_problem(2500, 6, [&](std::uint64_t seed, const inlay::problem& p) {
        const inlay::problem_index index(p);
        const std::vector<inlay::known_cover> covers = inlay::all_covers(index);
        inlay::random_numbers numbers{seed + 4000};
        const std::vector<inlay::limit> limits = random_limits(p, index, covers, numbers);
        REQUIRE(inlay::check(limits, p));
        std::vector<std::vector<double>> amounts;
        for (const auto& cover : covers) {
            amounts.emplace_back();
            for (const auto& one : limits) amounts.back().push_back(*inlay::quantity_of(index, one.what, cover.chosen));
        }
        const auto best_within = [&](std::uint32_t set) {
            std::optional<double> best;
            for (std::size_t i = 0; i < covers.size(); ++i) {
                bool keeps = true;
                for (std::size_t k = 0; k < limits.size(); ++k)
                    keeps = keeps && (((set >> k) & 1u) == 0 || inlay::keeps_limit(amounts[i][k], limits[k].most));
                if (keeps && (!best || covers[i].cost < *best)) best = covers[i].cost;
            }
            return best;
        };
        const std::uint32_t all = (1u << limits.size()) - 1;
        const inlay::constrained_selection answer = inlay::select_within(p, limits);
        const auto best = best_within(all);
        CHECK_MESSAGE(answer.found.cost.has_value() == best.has_value(), "seed " << seed);
        if (best && answer.found.cost) {
            ++found;
            if (*best > *best_within(0)) ++tight;
            CHECK(answer.found.status == inlay::selection_status::optimal);
            CHECK_MESSAGE(*answer.found.cost <= *best * (1 + 1e-9), "seed " << seed);
            CHECK_MESSAGE(*answer.found.lower_bound <= *best * (1 + 1e-12), "seed " << seed);
            CHECK(*answer.found.lower_bound >= *answer.found.cost * (1 - 1e-9));
            CHECK(*answer.price == *answer.found.cost);
            CHECK(*inlay::cover_cost(index, answer.found.chosen) == *answer.price);
            REQUIRE(answer.amounts.size() == limits.size());
            for (std::size_t k = 0; k < limits.size(); ++k) {
                CHECK(answer.amounts[k] == *inlay::quantity_of(index, limits[k].what, answer.found.chosen));
                CHECK(inlay::keeps_limit(answer.amounts[k], limits[k].most));
            }
            CHECK(answer.multipliers.size() == limits.size());
            for (const double m : answer.multipliers) CHECK(m >= 0);
            return;
        }
        CHECK(answer.found.status == inlay::selection_status::infeasible);
        CHECK(answer.clash.empty());
        if (covers.empty()) {
            CHECK(answer.clash_limits.empty());
            return;
        }
        ++clashes;
        CHECK(answer.found.reason == "no cover keeps to all limits; take one of those away that clash.");
        std::uint32_t named = 0;
        for (const std::size_t k : answer.clash_limits) named |= 1u << k;
        REQUIRE_MESSAGE(named != 0, "seed " << seed);
        CHECK_FALSE(best_within(named));
        CHECK(answer.clash_size == answer.clash_limits.size());
        for (std::uint32_t set = 0; set <= all; ++set) {
            std::size_t size = 0;
            for (std::size_t k = 0; k < limits.size(); ++k) size += (set >> k) & 1u;
            if (size < answer.clash_limits.size()) CHECK_MESSAGE(best_within(set), "seed " << seed << ": a smaller set clashes");
        }
    });
    CHECK(found > 1000);
    CHECK(tight > 400);
    CHECK(clashes > 300);
}

TEST_CASE("limits of 0, of what is always there, and limits on nothing") {
    inlay::problem p;
    p.nodes = 2;
    p.edges = {{0, 1}};
    p.candidates = {{.nodes = {0}, .cost = 1}, {.nodes = {1}, .cost = 1}, {.nodes = {0, 1}, .cost = 5, .backend = 1}};
    std::vector<inlay::limit> limits = {{{.of_candidate = {0, 2, 0}}, 0, "joules"}};
    CHECK(inlay::select_within(p, limits).found.chosen == std::vector<inlay::candidate_index>{2});
    limits[0].what.always = 1e-300;
    const auto none = inlay::select_within(p, limits);
    CHECK(none.found.status == inlay::selection_status::infeasible);
    CHECK(none.clash_limits == std::vector<std::size_t>{0});
    limits[0].most = 1e-300;
    CHECK(*inlay::select_within(p, limits).found.cost == 5);
    CHECK(*inlay::select_within(p, {}).found.cost == 2);
    inlay::problem nothing;
    CHECK(*inlay::select_within(nothing, std::vector<inlay::limit>{{{.always = 2}, 3, ""}}).found.cost == 0);
    const auto too_much = inlay::select_within(nothing, std::vector<inlay::limit>{{{.always = 2}, 3, ""}, {{.always = 4}, 3, ""}});
    CHECK(too_much.found.status == inlay::selection_status::infeasible);
    CHECK(too_much.clash_limits == std::vector<std::size_t>{1});
    p.candidates.erase(p.candidates.begin() + 1, p.candidates.end());
    limits[0].what = {};
    CHECK(inlay::select_within(p, limits).found.reason == "no candidate covers node 1; give one that does.");
}

TEST_CASE("amounts from one end of double to the other are searched all the same") {
    inlay::problem p;
    p.nodes = 3;
    p.edges = {{0, 1}, {1, 2}};
    for (inlay::node_id v = 0; v < 3; ++v)
        for (inlay::backend_id b = 0; b < 2; ++b)
            p.candidates.push_back({.nodes = {v}, .cost = b == 0 ? 1e-300 : 1e200 * (v + 1), .backend = b});
    std::vector<inlay::limit> limits = {{{.of_candidate = {1e299, 0, 1e299, 1, 1e299, 1e-300}}, 1.5e299, ""}};
    const auto large = inlay::select_within(p, limits);
    REQUIRE(large.found.cost);
    CHECK(large.found.chosen == std::vector<inlay::candidate_index>{1, 3, 4});
    CHECK(large.found.status == inlay::selection_status::optimal);
    limits[0].most = 1e-300;
    CHECK(inlay::select_within(p, limits).found.status == inlay::selection_status::infeasible);
    limits[0].most = 2;
    CHECK(inlay::select_within(p, limits).found.chosen == std::vector<inlay::candidate_index>{1, 3, 5});
}

TEST_CASE("constraints and limits clash together") {
    inlay::problem p;
    p.nodes = 2;
    p.edges = {{0, 1}};
    for (inlay::node_id v = 0; v < 2; ++v)
        for (inlay::backend_id b = 0; b < 2; ++b) p.candidates.push_back({.nodes = {v}, .cost = 1.0 + b, .backend = b});
    using rule = inlay::constraint_rule;
    const std::vector<inlay::constraint> constraints = {{rule::prefer, {0}, 1, 3}, {rule::pin, {1}, 1}, {rule::colocate, {0, 1}}};
    std::vector<inlay::limit> limits = {{{.of_candidate = {9, 9, 9, 9}}, 100, "energy"}, {{.of_candidate = {0, 3, 0, 3}}, 5, "bytes"}};
    const auto none = inlay::select_constrained(p, constraints, limits);
    CHECK(none.found.status == inlay::selection_status::infeasible);
    CHECK(none.clash == std::vector<std::size_t>{1, 2});
    CHECK(none.clash_limits == std::vector<std::size_t>{1});
    CHECK(none.clash_size == 3);
    CHECK(none.found.reason == "no cover keeps to all constraints and limits; take one of those away that clash.");
    limits[1].most = 6;
    const auto some = inlay::select_constrained(p, constraints, limits);
    CHECK(some.found.chosen == std::vector<inlay::candidate_index>{1, 3});
    limits[1].most = 5;
    const auto without_join = inlay::select_constrained(p, std::vector<inlay::constraint>{constraints[0], constraints[1]}, limits);
    CHECK(without_join.found.chosen == std::vector<inlay::candidate_index>{0, 3});
    CHECK(*without_join.price == 3);
    CHECK(*without_join.found.cost == 6);
}

TEST_CASE("joins and limits together are kept as enumeration keeps them") {
    std::size_t found = 0, tight = 0;
    inlay::each_coverable_problem(1200, 6, [&](std::uint64_t seed, const inlay::problem& p) {
        const inlay::problem_index index(p);
        const std::vector<inlay::known_cover> covers = inlay::all_covers(index);
        inlay::random_numbers numbers{seed + 9000};
        const std::vector<inlay::limit> limits = random_limits(p, index, covers, numbers);
        std::vector<inlay::constraint> constraints;
        for (const auto rule : {inlay::constraint_rule::colocate, inlay::constraint_rule::separate}) {
            inlay::constraint one{rule, {}};
            for (inlay::node_id v = 0; v < p.nodes; ++v)
                if (numbers.chance(35)) one.nodes.push_back(v);
            if (!one.nodes.empty()) constraints.push_back(one);
        }
        double best = std::numeric_limits<double>::infinity(), plain = best;
        for (const auto& cover : covers) {
            plain = std::min(plain, cover.cost);
            const auto owner = inlay::owners(index, cover.chosen);
            bool keeps = true;
            for (const auto& one : limits)
                keeps = keeps && inlay::keeps_limit(*inlay::quantity_of(index, one.what, cover.chosen), one.most);
            for (const auto& one : constraints)
                for (const auto v : one.nodes)
                    for (const auto w : one.nodes)
                        if (v < w)
                            keeps = keeps && (p.candidates[owner[v]].backend == p.candidates[owner[w]].backend) ==
                                                 (one.rule == inlay::constraint_rule::colocate);
            if (keeps) best = std::min(best, cover.cost);
        }
        const auto answer = inlay::select_constrained(p, constraints, limits);
        CHECK_MESSAGE(answer.found.cost.has_value() == (best < inlay::impossible), "seed " << seed);
        if (!answer.found.cost) return;
        ++found;
        tight += best > plain ? 1u : 0u;
        CHECK_MESSAGE(*answer.found.cost == doctest::Approx(best).epsilon(1e-9), "seed " << seed);
        CHECK(*answer.found.lower_bound <= best * (1 + 1e-12));
    });
    CHECK(found > 300);
    CHECK(tight > 150);
}

TEST_CASE("a search that is stopped keeps what it has, and says so") {
    const inlay::problem p = inlay::random_network(inlay::topology::residual(8, 6), 3);
    std::vector<inlay::limit> limits(1);
    inlay::random_numbers numbers{1};
    for (std::size_t c = 0; c < p.candidates.size(); ++c) limits[0].what.of_candidate.push_back(numbers.real(10));
    limits[0].most = 150;
    const std::atomic<bool> stop{true};
    inlay::select_options options;
    options.cancel = &stop;
    const auto stopped = inlay::select_within(p, limits, options);
    CHECK(stopped.found.status == inlay::selection_status::gap);
    CHECK(stopped.found.lower_bound);
    const auto whole = inlay::select_within(p, limits);
    CHECK(whole.found.status != inlay::selection_status::gap);
    if (whole.found.cost) CHECK(*stopped.found.lower_bound <= *whole.found.cost);
}

TEST_CASE("amounts at the lower end of the range of double are weighed, or left out") {
    std::size_t compared = 0;
    inlay::each_coverable_problem(1200, 5, [&](std::uint64_t seed, const inlay::problem& p) {
        inlay::random_numbers numbers{seed * 3 + 1};
        const double small = std::ldexp(1.0, -1030);
        std::vector<inlay::limit> limits(2);
        for (inlay::limit& one : limits) {
            for (std::size_t c = 0; c < p.candidates.size(); ++c)
                one.what.of_candidate.push_back(numbers.chance(40) ? 0 : small * numbers.quarters(8));
            one.most = small * numbers.quarters(12);
        }
        const inlay::problem_index index(p);
        double best = inlay::impossible;
        for (const inlay::known_cover& cover : inlay::all_covers(index)) {
            const auto keeps = [&](const inlay::limit& one) {
                return inlay::keeps_limit(*inlay::quantity_of(index, one.what, cover.chosen), one.most);
            };
            if (std::all_of(limits.begin(), limits.end(), keeps)) best = std::min(best, cover.cost);
        }
        const auto made = inlay::select_within(p, limits);
        REQUIRE(made.found.cost.has_value() == (best < inlay::impossible));
        if (!made.found.cost) return;
        CHECK(*made.found.cost <= best * (1 + 3e-9));
        ++compared;
    });
    CHECK(compared > 400);
}
