// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/elimination_order.hpp>

#include <doctest/doctest.h>

#include "random_model.hpp"

TEST_CASE("every variable goes once, after its step nobody mentions it, and the prediction adds up") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        const inlay::model m = inlay::random_model(seed);
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
    inlay::model m;
    const std::vector<std::uint32_t> each{0, 1, 2};
    const std::vector<inlay::scaled> ones(9, 1);
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

TEST_CASE("the pairs that a step joins are counted as they are, also around variables that all others hang on") {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        CAPTURE(seed);
        inlay::random_numbers numbers{seed};
        inlay::model m;
        constexpr std::uint32_t variables = 200;
        const std::vector<std::uint32_t> each{0, 1};
        const std::vector<inlay::scaled> table{0, 3, 2, 1};
        for (std::uint32_t i = 0; i < variables; ++i) {
            m.unary.items.insert(m.unary.items.end(), {0, 0});
            m.unary.close();
        }
        // Three that nearly all others hang on, and a sparse rest.
        std::vector<std::vector<bool>> joined(variables, std::vector<bool>(variables, false));
        for (std::uint32_t a = 0; a < variables; ++a) {
            for (std::uint32_t b = a + 1; b < variables; ++b) {
                if (!numbers.chance(a < 3 ? 90 : 2)) continue;
                joined[a][b] = joined[b][a] = true;
                m.pairs.push_back({a, b, {each, 2}, {each, 2}, table});
            }
        }
        inlay::arena memory;
        inlay::detail::elimination_graph graph(m, memory);
        for (std::uint32_t goes = variables; goes-- > variables - 20;) {
            for (std::uint32_t v = 0; v < goes; ++v) {
                double missing = 0;
                for (std::uint32_t a = 0; a <= goes; ++a)
                    for (std::uint32_t b = a + 1; b <= goes; ++b) missing += joined[v][a] && joined[v][b] && !joined[a][b] ? 1 : 0;
                REQUIRE(graph.fill(v) == missing);
                double weight = 2;
                for (std::uint32_t a = 0; a <= goes; ++a) weight *= joined[v][a] ? 2 : 1;
                REQUIRE(graph.weight(v) == std::min(weight, inlay::detail::elimination_graph::too_many));
            }
            graph.eliminate(goes);
            for (std::uint32_t a = 0; a < goes; ++a)
                for (std::uint32_t b = 0; b < goes; ++b)
                    if (a != b && joined[goes][a] && joined[goes][b]) joined[a][b] = true;
        }
    }
}
