// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/proof/proof_tables.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "search/random_problem.hpp"

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
    CHECK(tables.out_of(0)[0].other == 1);
    CHECK(tables.out_of(0)[0].edge == 1);
    CHECK(tables.place_of(1) == 0);
    CHECK(tables.place_of(0) == 1);
    CHECK(tables.into(3)[1].other == 2);
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

    REQUIRE(tables.end_position(0) - tables.first_position(0) == 1);
    const std::uint32_t given = tables.gives_at(tables.first_position(0));
    REQUIRE(given != inlay::proof_tables::not_given);
    CHECK(tables.given_at(given).node == 0);
    CHECK(tables.given_at(given).format == 2);
    CHECK(tables.inner_at(tables.first_position(0)).empty());
    // Node 1 is read inside only.
    CHECK(tables.member_at(tables.first_position(1)) == 1);
    CHECK(tables.gives_at(tables.first_position(1)) == inlay::proof_tables::not_given);
    CHECK(tables.reads_at(tables.first_position(1)).size() == 1);
    CHECK(tables.reads_at(tables.first_position(1) + 1).size() == 1);
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
            std::vector<inlay::tensor_format> gives;
            for (std::uint32_t at = tables.first_position(c); at < tables.end_position(c); ++at) {
                const auto out = tables.out_of(tables.member_at(at));
                for (std::size_t place = 0; place < out.size(); ++place) {
                    const auto inner = tables.inner_at(at);
                    CHECK(tables.covers(c, out[place].other) == (std::find(inner.begin(), inner.end(), place) != inner.end()));
                }
                if (tables.gives_at(at) == inlay::proof_tables::not_given) continue;
                const inlay::proof_tables::given_format& given = tables.given_at(tables.gives_at(at));
                CHECK(given.node == tables.member_at(at));
                gives.push_back({given.node, given.format});
            }
            const auto known = index.gives(c);
            CHECK(gives == std::vector<inlay::tensor_format>(known.begin(), known.end()));
            const auto reads = index.reads(c);
            const bool is_entered =
                std::any_of(reads.begin(), reads.end(), [&](const inlay::tensor_format& read) { return read.node > tables.members(c)[0]; });
            CHECK(std::count(tables.entered().begin(), tables.entered().end(), c) == (is_entered ? 1 : 0));
        }
    });
}

TEST_CASE("what is too large to be read does not fit") {
    inlay::problem p;
    p.nodes = 0xFFFF'FFFEu;
    p.candidates.push_back({.nodes = {0}});
    CHECK_FALSE(inlay::proof_tables::fit(p));
    // A tensor with many readers, given in many ways.
    p.nodes = 8001;
    p.candidates.clear();
    for (inlay::node_id v = 1; v < p.nodes; ++v) {
        p.edges.push_back({0, v});
        p.candidates.push_back({.nodes = {v}});
        p.candidates.push_back({.nodes = {0}});
    }
    CHECK_FALSE(inlay::proof_tables::fit(p));
    p.candidates.resize(2000);
    p.nodes = 1001;
    p.edges.resize(1000);
    CHECK(inlay::proof_tables::borders(p) == 1000u * 1001 + 1000 * 2);
}
