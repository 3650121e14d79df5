// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/model/cover_network.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/cover_cost.hpp>

#include "search/all_covers.hpp"
#include "search/random_problem.hpp"

TEST_CASE("the values of a candidate at a node stand side by side") {
    inlay::cover_network covers;
    covers.nodes = 2;
    covers.meaning.items = {3, 3, 5};
    covers.meaning.close();
    covers.meaning.items.push_back(5);
    covers.meaning.close();
    CHECK(covers.values_of(0, 3) == std::pair<std::uint32_t, std::uint32_t>(0, 2));
    CHECK(covers.values_of(0, 5) == std::pair<std::uint32_t, std::uint32_t>(2, 3));
    CHECK(covers.values_of(1, 5) == std::pair<std::uint32_t, std::uint32_t>(0, 1));
    const auto [first, last] = covers.values_of(1, 3);
    CHECK(first == last);
}

TEST_CASE("auxiliaries stand behind the node whose tensor they are about") {
    inlay::cover_network covers;
    covers.nodes = 3;
    covers.auxiliary_of = {0, 1, 1};
    for (int variable = 0; variable < 6; ++variable) covers.m.unary.close();
    CHECK(inlay::order_along_nodes(covers) == std::vector<std::uint32_t>{0, 3, 1, 4, 5, 2});
}

TEST_CASE("no cover costs more than the largest price") {
    std::size_t covers = 0;
    inlay::each_coverable_problem(200, 6, [&](std::uint64_t, const inlay::problem& p) {
        const inlay::problem_index index(p);
        const double most = inlay::largest_price(index);
        for (const inlay::known_cover& each : inlay::all_covers(index)) {
            const auto cost = inlay::cover_cost(index, each.chosen);
            if (!cost) continue;
            ++covers;
            CHECK(*cost <= most * (1 + 1e-12));
        }
    });
    CHECK(covers > 500);
}
