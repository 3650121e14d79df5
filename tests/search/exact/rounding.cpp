// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/exact/rounding.hpp>

#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/cover.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/model/make_cover_network.hpp>

#include "search/random_problem.hpp"

TEST_CASE("drawn candidates are disjoint, a drawn cover costs no less than the bound, and on easy problems it reaches it") {
    std::size_t covers_drawn = 0, reached = 0;
    inlay::each_coverable_problem(400, 8, [&](std::uint64_t, inlay::problem p) {
        p.acyclic = false;
        const inlay::problem_index index(p);
        const auto unit = inlay::scaling::for_total(inlay::largest_price(index));
        const auto covers = inlay::make_cover_network(index, unit, std::vector<bool>(p.candidates.size(), true));
        std::vector<std::uint32_t> order(covers.m.variables());
        std::iota(order.begin(), order.end(), 0u);
        inlay::dual_ascent dual(covers.m, order);
        const inlay::cover_rounding rounding(index, covers, order);
        for (int pass = 0; pass < 8; ++pass) {
            dual.pass(pass % 2 == 0);
            if (dual.bound() >= inlay::infinite_cost) break;
            const auto drawn = rounding(dual, pass % 2 != 0);
            std::vector<int> taken(p.nodes, 0);
            for (const auto c : drawn)
                for (const auto v : index.members(c)) CHECK(++taken[v] == 1);
            const auto cost = inlay::cover_cost(index, drawn);
            if (!cost) continue;
            ++covers_drawn;
            CHECK(*cost >= unit.back(dual.bound()) * (1 - 1e-12) - 1e-12);
            reached += *cost <= unit.back(dual.bound()) * (1 + 1e-12) + 1e-12;
        }
    });
    CHECK(covers_drawn > 500);
    CHECK(reached * 2 > covers_drawn);
}
