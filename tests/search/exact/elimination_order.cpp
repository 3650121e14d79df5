// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/exact/elimination_order.hpp>

#include <doctest/doctest.h>

#include "search/random_model.hpp"

TEST_CASE("every variable goes once, after its step nobody mentions it, and the prediction adds up") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        const inlay::cost_network m = inlay::random_model(seed);
        for (const auto rule : {inlay::elimination_rule::least_weight, inlay::elimination_rule::least_weight_and_fill}) {
            const auto plan = inlay::plan_elimination(m, rule, {1e9});
            REQUIRE(plan.steps.size() == m.variables());
            std::vector<bool> gone(m.variables(), false);
            double entries = 0;
            for (const auto& step : plan.steps) {
                CHECK_FALSE(gone[step.variable]);
                gone[step.variable] = true;
                double own = step.own.count;
                for (std::size_t d = 0; d < step.about.size(); ++d) {
                    CHECK_FALSE(gone[step.about[d]]);
                    own *= step.classes[d].count;
                }
                entries += own;
            }
            CHECK(entries == plan.entries);
        }
    }
}

TEST_CASE("a chain of many variables is narrow, and a limit is kept") {
    inlay::cost_network m;
    const std::vector<std::uint32_t> each{0, 1, 2};
    const std::vector<inlay::fixed_cost> ones(9, 1);
    for (std::uint32_t i = 0; i < 100; ++i) {
        for (int x = 0; x < 3; ++x) m.unary.items.push_back(0);
        m.unary.close();
        if (i > 0) m.pairs.push_back({i - 1, i, {each, 3}, {each, 3}, ones});
    }
    const auto plan = inlay::plan_elimination(m, {1e6});
    CHECK_FALSE(plan.too_wide);
    CHECK(plan.width == 2);
    CHECK(plan.entries <= 100 * 9);
    CHECK(inlay::plan_elimination(m, {50}).too_wide);
}
