// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/model/make_cover_network.hpp>

#include <algorithm>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/cover_cost.hpp>
#include <inlay/search/exact/elimination.hpp>

#include "search/random_problem.hpp"

// For every choice of candidates by node that is a cover, the cheapest values that mean it cost what the cover does.
TEST_CASE("the model of a problem costs what covers cost, whatever way conversions are shared") {
    std::size_t compared = 0;
    inlay::each_coverable_problem(1200, 6, [&](std::uint64_t seed, inlay::problem p) {
        p.acyclic = false;
        const inlay::problem_index index(p);
        const auto unit = inlay::scaling::for_total(inlay::largest_price(index));
        const auto covers = inlay::make_cover_network(index, unit, std::vector<bool>(p.candidates.size(), true));
        inlay::random_numbers numbers{seed};
        for (int trial = 0; trial < 6; ++trial) {
            // A random cover, if chance finds one.
            std::vector<inlay::candidate_index> chosen;
            std::set<inlay::node_id> covered;
            for (inlay::node_id v = 0; v < p.nodes; ++v) {
                if (covered.count(v) != 0) continue;
                const auto options = index.covering(v);
                const auto c = covers.representative[options[numbers.below(static_cast<std::uint32_t>(options.size()))]];
                chosen.push_back(c);
                for (const inlay::node_id w : index.members(c)) covered.insert(w);
            }
            if (!inlay::covers_once(index, chosen)) continue;
            const auto owner = inlay::owners(index, chosen);
            std::vector<std::uint8_t> alive(covers.m.unary.items.size(), 1);
            for (std::size_t v = 0; v < covers.nodes; ++v) {
                for (std::size_t x = 0; x < covers.meaning[v].size(); ++x) {
                    alive[covers.m.unary.begin[v] + x] = covers.meaning[v][x] == owner[v] ? 1 : 0;
                }
            }
            const auto sub = inlay::restricted(covers.m, alive);
            const auto plan = inlay::plan_elimination(sub.m, {1e9});
            const inlay::elimination solved(sub.m, plan);
            const auto cost = inlay::cover_cost(index, chosen);
            ++compared;
            CHECK((solved.cost() < inlay::infinite_cost) == cost.has_value());
            if (cost) CHECK(unit.back(solved.cost()) == doctest::Approx(*cost).epsilon(1e-12));
        }
    });
    CHECK(compared > 1000);
}

TEST_CASE("of candidates with the same nodes and formats the cheapest stands for all") {
    inlay::problem p;
    p.nodes = 1;
    p.formats = 2;
    p.conversions = inlay::uniform_conversions(2, 1);
    // Nobody reads the node, so that its format makes no difference.
    p.candidates = {{{0}, 3, 0, 0, 0, {}, {}}, {{0}, 2, 0, 1, 1, {}, {}}, {{0}, 2, 1, 0, 0, {}, {}}};
    const inlay::problem_index index(p);
    const auto covers = inlay::make_cover_network(index, inlay::scaling::for_total(3), {true, true, true});
    CHECK(covers.representative == std::vector<inlay::candidate_index>{1, 1, 1});
    CHECK(covers.meaning[0].size() == 1);
}
