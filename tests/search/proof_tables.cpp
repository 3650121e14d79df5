// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/proof_tables.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "random_problem.hpp"

TEST_CASE("a candidate is charged for what it reads from outside, and gives what others read") {
    inlay::problem p;
    p.nodes = 4;
    p.edges = {{0, 2}, {0, 1}, {1, 3}, {2, 3}};
    p.formats = 3;
    p.conversions = inlay::uniform_conversions(3, 1);
    p.candidates.resize(2);
    p.candidates[0] = {.nodes = {0}, .cost = 1, .out = 2};
    p.candidates[1] = {.nodes = {3, 1}, .cost = 1, .in = 1, .in_of = {{0, 2}}};
    const inlay::proof_tables tables(p);
    REQUIRE(tables.out_of(0).size() == 2);
    CHECK(p.edges[tables.out_of(0)[0]].to == 1);
    CHECK(p.edges[tables.into(3)[1]].from == 2);
    CHECK(std::vector<inlay::node_id>(tables.members(1).begin(), tables.members(1).end()) == std::vector<inlay::node_id>{1, 3});
    CHECK(tables.covers(1, 3));
    CHECK_FALSE(tables.covers(1, 2));

    // The tensor of node 0 by exception in format 2, that of node 2 in format 1.
    REQUIRE(tables.reads(1).size() == 2);
    CHECK(tables.edge_of(tables.reads(1)[0]) == 1);
    CHECK(tables.format_of(tables.reads(1)[0]) == 2);
    CHECK(tables.edge_of(tables.reads(1)[1]) == 3);
    CHECK(tables.format_of(tables.reads(1)[1]) == 1);
    CHECK(tables.slots() == 2);
    CHECK(tables.first_slot(3) == tables.reads(1)[1]);
    CHECK(tables.end_slot(2) == tables.first_slot(2));

    REQUIRE(tables.gifts(0).size() == 1);
    CHECK(tables.gifts(0)[0].all);
    CHECK(tables.given_at(tables.gifts(0)[0].given).node == 0);
    CHECK(tables.given_at(tables.gifts(0)[0].given).format == 2);
    CHECK(tables.gifts(1).empty());
}

TEST_CASE("what is read at a second node is read before, unless conversions are shared") {
    inlay::problem p;
    p.nodes = 3;
    p.edges = {{0, 1}, {0, 2}};
    p.candidates.resize(1);
    p.candidates[0] = {.nodes = {1, 2}};
    for (const bool share : {true, false}) {
        p.share_conversions = share;
        const inlay::proof_tables tables(p);
        REQUIRE(tables.reads(0).size() == 2);
        CHECK(tables.format_of(tables.reads(0)[0]) == 0);
        CHECK(tables.format_of(tables.reads(0)[1]) == (share ? 0 : inlay::proof_tables::read_before));
    }
}

TEST_CASE("borders are those that the search sees") {
    inlay::each_coverable_problem(400, 8, [](std::uint64_t, const inlay::problem& p) {
        const inlay::problem_index index(p);
        const inlay::proof_tables tables(p);
        for (inlay::candidate_index c = 0; c < p.candidates.size(); ++c) {
            for (const inlay::tensor_format& read : index.reads(c)) {
                const auto reads = tables.reads(c);
                CHECK(std::any_of(reads.begin(), reads.end(), [&](std::uint32_t slot) {
                    return p.edges[tables.edge_of(slot)].from == read.node && tables.format_of(slot) == read.format;
                }));
            }
            REQUIRE(tables.gifts(c).size() == index.gives(c).size());
            for (std::size_t i = 0; i < index.gives(c).size(); ++i) {
                CHECK(tables.given_at(tables.gifts(c)[i].given).node == index.gives(c)[i].node);
                CHECK(tables.given_at(tables.gifts(c)[i].given).format == index.gives(c)[i].format);
            }
        }
    });
}
