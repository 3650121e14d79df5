// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/constrained/select_constrained.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/constrained/loads.hpp>
#include <inlay/search/constrained/minimise_largest.hpp>

#include "search/all_covers.hpp"
#include "search/wide_problem.hpp"

namespace {

/// What a cover costs under constraints, by their definition; nothing where it breaks one.
std::optional<double> cost_under(const inlay::problem_index& index, const std::vector<inlay::candidate_index>& chosen, double cost,
                                 const std::vector<inlay::constraint>& constraints, const std::vector<std::size_t>& some) {
    const std::vector<inlay::candidate_index> owner = inlay::owners(index, chosen);
    const auto backend = [&](inlay::node_id v) { return index.of().candidates[owner[v]].backend; };
    for (const std::size_t i : some) {
        const inlay::constraint& one = constraints[i];
        std::vector<inlay::backend_id> at;
        for (const inlay::node_id v : one.nodes) at.push_back(backend(v));
        const auto here = static_cast<std::size_t>(std::count(at.begin(), at.end(), one.backend));
        std::sort(at.begin(), at.end());
        switch (one.rule) {
            case inlay::constraint_rule::pin:
                if (here != at.size()) return {};
                break;
            case inlay::constraint_rule::forbid:
                if (here != 0) return {};
                break;
            case inlay::constraint_rule::prefer:
                cost += one.worth * static_cast<double>(at.size() - here);
                break;
            case inlay::constraint_rule::colocate:
                if (at.front() != at.back()) return {};
                break;
            case inlay::constraint_rule::keep: {
                std::vector<inlay::node_id> wanted = one.nodes;
                std::sort(wanted.begin(), wanted.end());
                const auto members = index.members(owner[wanted[0]]);
                if (!std::equal(members.begin(), members.end(), wanted.begin(), wanted.end()) || backend(wanted[0]) != one.backend)
                    return {};
                break;
            }
            case inlay::constraint_rule::part_limit:
                for (const inlay::candidate_index c : chosen) {
                    const auto meant = [&](inlay::node_id v) {
                        return one.nodes.empty() || std::find(one.nodes.begin(), one.nodes.end(), v) != one.nodes.end();
                    };
                    const auto members = index.members(c);
                    const auto count = std::count_if(members.begin(), members.end(), meant);
                    if (index.of().candidates[c].backend != one.backend || count == 0) continue;
                    if ((one.amounts.empty() ? static_cast<double>(count) : one.amounts[c]) > one.most) return {};
                }
                break;
            case inlay::constraint_rule::within:
                for (const inlay::node_id v : one.nodes) {
                    const auto members = index.members(owner[v]);
                    const bool inside = std::all_of(members.begin(), members.end(), [&](inlay::node_id w) {
                        return std::find(one.nodes.begin(), one.nodes.end(), w) != one.nodes.end();
                    });
                    if (!inside || backend(v) != one.backend) return {};
                }
                break;
            case inlay::constraint_rule::separate:
                if (std::adjacent_find(at.begin(), at.end()) != at.end()) return {};
                break;
        }
    }
    return cost;
}

std::vector<inlay::constraint> random_constraints(const inlay::problem& p, inlay::random_numbers& numbers) {
    std::vector<inlay::constraint> made;
    for (std::uint32_t count = 1 + numbers.below(4); count > 0; --count) {
        inlay::constraint one;
        one.rule = static_cast<inlay::constraint_rule>(numbers.below(7));
        for (inlay::node_id v = 0; v < p.nodes; ++v)
            if (numbers.chance(one.rule == inlay::constraint_rule::separate ? 30 : 40)) one.nodes.push_back(v);
        if (one.nodes.empty()) one.nodes.push_back(numbers.below(p.nodes));
        one.backend = p.candidates[numbers.below(static_cast<std::uint32_t>(p.candidates.size()))].backend;
        one.worth = numbers.quarters(8);
        if (one.rule == inlay::constraint_rule::keep && numbers.chance(80)) {
            const inlay::problem_candidate& kept = p.candidates[numbers.below(static_cast<std::uint32_t>(p.candidates.size()))];
            one.nodes = kept.nodes;
            one.backend = kept.backend;
        }
        if (one.rule == inlay::constraint_rule::part_limit) {
            one.most = numbers.below(4);
            if (numbers.chance(50)) one.nodes.clear();
            if (numbers.chance(50))
                for (std::size_t c = 0; c < p.candidates.size(); ++c) one.amounts.push_back(numbers.quarters(6));
        }
        made.push_back(std::move(one));
    }
    return made;
}

std::vector<std::size_t> all_of(const std::vector<inlay::constraint>& constraints) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < constraints.size(); ++i) all.push_back(i);
    return all;
}

}  // namespace

TEST_CASE("the answer under constraints is the best of all covers that keep to them") {
    std::size_t found = 0, clashes = 0;
    inlay::each_coverable_problem(1500, 6, [&](std::uint64_t seed, const inlay::problem& p) {
        const inlay::problem_index index(p);
        inlay::random_numbers numbers{seed + 1000};
        const std::vector<inlay::constraint> constraints = random_constraints(p, numbers);
        REQUIRE(inlay::check(constraints, p));
        const std::vector<inlay::known_cover> covers = inlay::all_covers(index);
        const auto best_under = [&](const std::vector<std::size_t>& some) {
            std::optional<double> best;
            for (const inlay::known_cover& cover : covers) {
                const auto under = cost_under(index, cover.chosen, cover.cost, constraints, some);
                if (under && (!best || *under < *best)) best = under;
            }
            return best;
        };
        const inlay::constrained_selection answer = inlay::select_constrained(p, constraints);
        const std::optional<double> best = best_under(all_of(constraints));
        CHECK_MESSAGE(answer.found.cost.has_value() == best.has_value(), "seed " << seed);
        if (best && answer.found.cost) {
            ++found;
            CHECK(answer.found.status == inlay::selection_status::optimal);
            CHECK(*answer.found.cost == doctest::Approx(*best).epsilon(1e-9));
            CHECK(*answer.price == doctest::Approx(*inlay::cover_cost(index, answer.found.chosen)));
            CHECK(*cost_under(index, answer.found.chosen, *answer.price, constraints, all_of(constraints)) ==
                  doctest::Approx(*best).epsilon(1e-9));
            CHECK(answer.clash.empty());
            return;
        }
        CHECK(answer.found.status == inlay::selection_status::infeasible);
        if (!best_under({})) {
            CHECK(answer.clash.empty());
            return;
        }
        // The constraints that are named clash, and no set of fewer does.
        ++clashes;
        REQUIRE_MESSAGE(!answer.clash.empty(), "seed " << seed);
        CHECK_FALSE(best_under(answer.clash));
        CHECK(answer.clash_size == answer.clash.size());
        for (std::uint32_t set = 0; set < (1u << constraints.size()); ++set) {
            std::vector<std::size_t> some;
            for (std::size_t i = 0; i < constraints.size(); ++i)
                if (((set >> i) & 1u) != 0) some.push_back(i);
            if (some.size() < answer.clash.size()) CHECK_MESSAGE(best_under(some), "seed " << seed << ": a smaller set clashes");
        }
    });
    CHECK(found > 300);
    CHECK(clashes > 100);
}

TEST_CASE("a clash names what clashes, and nothing else") {
    inlay::problem p;
    p.nodes = 3;
    p.edges = {{0, 1}, {1, 2}};
    for (inlay::node_id v = 0; v < 3; ++v)
        for (inlay::backend_id b = 0; b < 2; ++b) p.candidates.push_back({.nodes = {v}, .cost = 1.0 + b, .backend = b});
    using rule = inlay::constraint_rule;
    std::vector<inlay::constraint> constraints = {
        {rule::prefer, {0, 1}, 1, 5}, {rule::pin, {0}, 0}, {rule::forbid, {2}, 1}, {rule::separate, {0, 2}}, {rule::colocate, {1, 2}}};
    const inlay::constrained_selection none = inlay::select_constrained(p, constraints);
    CHECK(none.found.status == inlay::selection_status::infeasible);
    CHECK(none.clash == std::vector<std::size_t>{1, 2, 3});
    CHECK(none.found.reason == "no cover keeps to all constraints; take one of those away that clash.");
    constraints.erase(constraints.begin() + 2);
    const inlay::constrained_selection some = inlay::select_constrained(p, constraints);
    REQUIRE(some.found.cost);
    CHECK(*some.price == 5);
    CHECK(*some.found.cost == 10);
    CHECK(some.found.chosen == std::vector<inlay::candidate_index>{0, 3, 5});
}

TEST_CASE("tables that do not fit end a search under constraints and limits at once, with a sentence that says so") {
    const inlay::problem p = inlay::chain_of_many_formats(2);
    inlay::select_options options;
    options.memory_limit = 1e5;
    const std::vector<inlay::constraint> constraints = {{inlay::constraint_rule::forbid, {0}, 1}};
    const std::vector<inlay::limit> limits = {{inlay::load_of(p, std::vector<inlay::backend_id>{0}), 60, "load"}};
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}}) {
        const auto found = inlay::select_constrained(p, constraints, std::span(limits).first(count), options).found;
        CHECK(found.status == inlay::selection_status::gap);
        CHECK(found.too_large);
        CHECK(found.reason.find("memory limit") != std::string::npos);
        CHECK(found.effort.branches == 0);
    }
    const std::vector<inlay::quantity> loads = {limits[0].what, inlay::load_of(p, std::vector<inlay::backend_id>{1})};
    const inlay::largest_selection least = inlay::minimise_largest(p, loads, options);
    CHECK(least.status == inlay::selection_status::gap);
    CHECK(least.reason.find("memory limit") != std::string::npos);
}
