// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/exact/dual_ascent.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "search/random_model.hpp"

TEST_CASE("no bound of dual ascent is above the optimum, bounds hardly fall, and slacks bound the marginals") {
    std::size_t tight = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        CAPTURE(seed);
        const inlay::cost_network m = inlay::random_model(seed);
        inlay::fixed_cost least = 0;
        const auto tried = inlay::tried_marginals(m, least);
        std::vector<std::uint32_t> order(m.variables());
        std::iota(order.begin(), order.end(), 0u);
        inlay::dual_ascent dual(m, order);
        inlay::fixed_cost before = 0;
        // Shares are rounded down, so that a pass may lose a unit for each table.
        const auto loss = static_cast<inlay::fixed_cost>(2 * m.pairs.size() + 2);
        for (int round = 0; round < 12; ++round) {
            dual.pass(round % 2 == 0);
            CHECK(dual.bound() <= least);
            CHECK(dual.bound() + loss >= before);
            before = dual.bound();
        }
        tight += dual.bound() == least ? 1u : 0u;
        for (std::size_t i = 0; i < m.variables(); ++i) {
            for (std::size_t x = 0; x < m.unary[i].size(); ++x) {
                if (dual.bound() >= inlay::infinite_cost) continue;
                if (dual.alive(i, x)) {
                    CHECK(inlay::add(dual.bound(), dual.slack(i, x)) <= tried[i][x]);
                } else {
                    CHECK(tried[i][x] >= inlay::infinite_cost);
                }
            }
        }
    }
    CHECK(tight > 700);
}

TEST_CASE("fixing drops only values that are in no assignment below the known cost") {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        CAPTURE(seed);
        const inlay::cost_network m = inlay::random_model(seed);
        inlay::fixed_cost least = 0;
        const auto tried = inlay::tried_marginals(m, least);
        if (least >= inlay::infinite_cost) continue;
        std::vector<std::uint32_t> order(m.variables());
        std::iota(order.begin(), order.end(), 0u);
        inlay::dual_ascent dual(m, order);
        const inlay::fixed_cost known = least + 3;
        for (int round = 0; round < 6; ++round) {
            dual.pass(round % 2 == 0);
            dual.fix(known);
        }
        for (std::size_t i = 0; i < m.variables(); ++i) {
            for (std::size_t x = 0; x < m.unary[i].size(); ++x) {
                if (!dual.alive(i, x)) CHECK(tried[i][x] >= known);
            }
        }
    }
}
