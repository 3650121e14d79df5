// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/exact/primal_heuristics.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/exhaustive.hpp>
#include <inlay/search/model/make_cover_network.hpp>

#include "search/random_problem.hpp"

namespace {

struct bench {
    explicit bench(const inlay::problem& p)
        : index(p),
          unit(inlay::scaling::for_total(inlay::largest_price(index))),
          end({}, nullptr),
          covers(inlay::make_cover_network(index, unit, std::vector<bool>(p.candidates.size(), true))),
          heuristics(index, covers, unit, {1e7}, end, effort) {}

    inlay::problem_index index;
    inlay::scaling unit;
    inlay::deadline end;
    inlay::cover_network covers;
    inlay::search_effort effort;
    inlay::primal_heuristics heuristics;
};

}  // namespace

TEST_CASE("a cover that fits into one window becomes the cheapest, unless that is too wide") {
    std::size_t better = 0, wide = 0;
    inlay::each_coverable_problem(600, 7, [&](std::uint64_t, inlay::problem p) {
        p.acyclic = false;
        bench b(p);
        const auto cover = inlay::eager(b.index, inlay::eager_order(p));
        const inlay::fixed_cost cost = b.heuristics.price_of(cover);
        if (cost >= inlay::infinite_cost) return;
        // The model knows equal candidates by one of them.
        for (const inlay::candidate_index c : cover)
            if (b.covers.representative[c] != c) return;
        b.heuristics.begin(b.heuristics.domains().whole(), {});
        b.heuristics.offer(cover, cost);
        CHECK(b.heuristics.best().cost == cost);
        b.heuristics.improve();
        const auto all = inlay::exhaustive(p);
        REQUIRE(all);
        if (b.heuristics.best().cost == cost && b.unit.back(cost) > *all->cost * (1 + 1e-12))
            ++wide;
        else
            CHECK(b.unit.back(b.heuristics.best().cost) == doctest::Approx(*all->cost).epsilon(1e-12));
        CHECK(b.heuristics.price_of(b.heuristics.best().chosen) == b.heuristics.best().cost);
        better += b.heuristics.best().cost < cost ? 1u : 0u;
    });
    CHECK(better > 100);
    CHECK(wide < 10);
}

TEST_CASE("a cover with a cycle is made one without") {
    // 0 -> 1 and 2 -> 3: {0, 3} and {1, 2} read from each other.
    inlay::problem p;
    p.nodes = 4;
    p.edges = {{0, 1}, {2, 3}};
    p.candidates = {{.nodes = {0, 3}, .cost = 1}, {.nodes = {1, 2}, .cost = 1}, {.nodes = {0}, .cost = 2},
                    {.nodes = {1}, .cost = 2},    {.nodes = {2}, .cost = 2},    {.nodes = {3}, .cost = 3}};
    bench b(p);
    b.heuristics.begin(b.heuristics.domains().whole(), {});
    CHECK(b.heuristics.price_of(std::vector<inlay::candidate_index>{0, 1}) == inlay::infinite_cost);
    b.heuristics.break_cycles({b.unit.of(2), {0, 1}, {0, 1}});
    CHECK(b.heuristics.best().chosen == std::vector<inlay::candidate_index>{0, 3, 4});
    CHECK(b.unit.back(b.heuristics.best().cost) == 5);
}
