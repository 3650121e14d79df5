// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/proof/rounded_costs.hpp>

#include <doctest/doctest.h>

TEST_CASE("costs and conversions are rounded down, the bound up, and what reaches it is never had") {
    inlay::problem p;
    p.nodes = 2;
    p.edges = {{0, 1}};
    p.formats = 2;
    p.conversions = {0, 1.3, inlay::impossible, 0};
    p.conversions_of = {{1, {0, 9, 0.1, 0}}};
    for (inlay::node_id v = 0; v < 2; ++v) p.candidates.push_back({.nodes = {v}, .cost = 1});
    const inlay::proof_tables tables(p);
    const inlay::rounded_costs units(tables, 2, 4.1);
    CHECK(units.target() == 17);
    CHECK(units.of(0) == 0);
    CHECK(units.of(1.3) == 5);
    CHECK(units.of(4.24) == 16);
    CHECK(units.of(4.25) == inlay::rounded_costs::infinite_cost);
    CHECK(units.of(1e300) == inlay::rounded_costs::infinite_cost);
    CHECK(units.takes(units.row_of({0, 0}), 0) == 0);
    CHECK(units.takes(units.row_of({0, 0}), 1) == 5);
    CHECK(units.takes(units.row_of({0, 1}), 0) == inlay::rounded_costs::infinite_cost);
    CHECK(units.takes(units.row_of({1, 0}), 1) == inlay::rounded_costs::infinite_cost);
    CHECK(units.takes(units.row_of({1, 1}), 0) == 0);
    CHECK(units.takes(units.row_of({0, 1}), inlay::proof_tables::read_before) == 0);
    // Where the bound is nothing, all but staying in a format reaches it.
    const inlay::rounded_costs none(tables, 2, 0);
    CHECK(none.of(0) == inlay::rounded_costs::infinite_cost);
    CHECK(none.takes(none.row_of({0, 1}), 1) == 0);
}

TEST_CASE("a bound fits where it is told in whole units") {
    CHECK(inlay::rounded_costs::fits(20, 1e6));
    CHECK(inlay::rounded_costs::fits(20, 0));
    CHECK_FALSE(inlay::rounded_costs::fits(20, -1));
    CHECK_FALSE(inlay::rounded_costs::fits(60, 1e6));
    CHECK_FALSE(inlay::rounded_costs::fits(1000, 1));
    CHECK_FALSE(inlay::rounded_costs::fits(-999, 1e-300));
}
