// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/regret.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/exhaustive.hpp>

#include "random_problem.hpp"

TEST_CASE("a regret is told by its parts") {
    // A chain of three; back end 1 does the middle faster, in a format of its own.
    inlay::problem p;
    p.nodes = 3;
    p.edges = {{0, 1}, {1, 2}};
    p.formats = 2;
    p.conversions = inlay::uniform_conversions(2, 2.0);
    p.candidates.resize(6);
    p.candidates[0] = {.nodes = {0}, .cost = 3};
    p.candidates[1] = {.nodes = {1}, .cost = 3};
    p.candidates[2] = {.nodes = {2}, .cost = 3};
    p.candidates[3] = {.nodes = {1}, .cost = 1, .backend = 1, .in = 1, .out = 1};
    p.candidates[4] = {.nodes = {2}, .cost = 3.5, .backend = 1, .in = 1, .out = 1};
    p.candidates[5] = {.nodes = {0, 1}, .cost = 20, .backend = 2};
    const std::vector<inlay::candidate_index> best = {0, 1, 2};
    CHECK(*inlay::select(p).cost == 9);

    const inlay::regret middle = inlay::regret_of(p, best, 3);
    CHECK(middle.status == inlay::selection_status::optimal);
    CHECK(middle.cover == std::vector<inlay::candidate_index>{0, 3, 4});
    CHECK(middle.total == 0.5);
    CHECK(middle.own == -2);
    CHECK(middle.conversions == 2);
    CHECK(middle.elsewhere == 0.5);
    CHECK(*middle.break_even == 0.5);

    const inlay::regret both = inlay::regret_of(p, best, 5);
    CHECK(both.total == 14);
    CHECK(both.own == 14);
    CHECK(both.elsewhere == 0);
    CHECK(*both.break_even == 6);

    const inlay::regret none = inlay::regret_of(p, best, 0);
    CHECK(none.total == 0);
    CHECK(none.own == 0);
    CHECK(*none.break_even == 3);

    p.candidates[4].cost = 30;
    p.conversions = inlay::uniform_conversions(2, 6.0);
    CHECK_FALSE(inlay::regret_of(p, best, 3).break_even);
}

TEST_CASE("against a list that does not cover every node there is no regret to tell") {
    inlay::problem p;
    p.nodes = 2;
    p.edges = {{0, 1}};
    p.candidates = {{.nodes = {0}, .cost = 1}, {.nodes = {1}, .cost = 1}, {.nodes = {0, 1}, .cost = 3}};
    const inlay::regret r = inlay::regret_of(p, std::vector<inlay::candidate_index>{0}, 2);
    CHECK(*r.cost == 3);
    CHECK(r.total == inlay::impossible);
    CHECK_FALSE(r.break_even);
}

TEST_CASE("regrets are those of enumeration, and at the break-even cost a candidate ties") {
    std::size_t told = 0, impossible = 0;
    inlay::each_coverable_problem(500, 7, [&](std::uint64_t seed, const inlay::problem& p) {
        const auto all = inlay::exhaustive(p);
        REQUIRE(all);
        if (!all->cost) return;
        for (inlay::candidate_index c = 0; c < p.candidates.size(); ++c) {
            const inlay::regret r = inlay::regret_of(p, all->chosen, c);
            CHECK(r.cost.has_value() == all->marginals[c].has_value());
            if (!r.cost) {
                ++impossible;
                continue;
            }
            ++told;
            CHECK(*r.cost == doctest::Approx(*all->marginals[c]).epsilon(1e-9));
            CHECK(r.total == doctest::Approx(r.own + r.conversions + r.elsewhere).epsilon(1e-9));
            CHECK(std::find(r.cover.begin(), r.cover.end(), c) != r.cover.end());
            if (!r.break_even || told % 7 != 0) continue;
            inlay::problem cheaper = p;
            cheaper.candidates[c].cost = *r.break_even;
            const inlay::selection tied = inlay::select(cheaper);
            REQUIRE_MESSAGE(tied.cost, "seed " << seed);
            CHECK(*tied.cost == doctest::Approx(*all->cost).epsilon(1e-9));
            CHECK(*inlay::regret_of(cheaper, tied.chosen, c).cost == doctest::Approx(*tied.cost).epsilon(1e-9));
        }
    });
    CHECK(told > 2000);
    CHECK(impossible > 20);
}
