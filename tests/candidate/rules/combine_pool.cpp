// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/combine_pool.hpp>

#include <doctest/doctest.h>

#include "../lettered_graph.hpp"

using namespace inlay;

namespace {
struct no_tag {};
struct tagged : combiner_tag {};
static_assert(combiner<tagged> && !combiner<no_tag> && !combiner<int>);

/// x -> E1 -> E2 -> E3
struct chain {
    lettered_graph g;
    chain() {
        g.add("x");
        for (node_id n = 0; n < 3; ++n) g.add("E", {n});
    }
};
}  // namespace

TEST_CASE("a pool finds by node those that were taken up, and only those [candidate.combine.pool]") {
    const chain c;
    const dataflow flow = flow_of(c.g);
    const rule_options options;
    combine_pool pool(flow, 0, options);
    pool.begin_with({subgraph(flow, {1}), "a"});
    pool.begin_with({subgraph(flow, {2, 3}), "b"});
    pool.begin_with({subgraph(flow, {1}), "again"});
    CHECK(pool.size() == 2);
    CHECK(pool.with_exit(1).empty());
    pool.take_up(0);
    pool.take_up(1);
    CHECK(pool.with_exit(1) == std::vector<std::size_t>{0});
    CHECK(pool.with_entry(2) == std::vector<std::size_t>{1});
    CHECK(pool.with_entry(3).empty());
    CHECK(pool.with_input(1) == std::vector<std::size_t>{1});
}

TEST_CASE("a union is free where all that was joined is, and is there once [candidate.combine.pool]") {
    const chain c;
    const dataflow flow = flow_of(c.g);
    const rule_options options;
    combine_pool pool(flow, 2, options);
    pool.begin_with({subgraph(flow, {1}), "a", true});
    pool.begin_with({subgraph(flow, {2}), "b", true});
    pool.begin_with({subgraph(flow, {3}), "c"});
    const std::size_t free_ones[] = {0, 1}, mixed[] = {1, 2}, deep[] = {0, 1, 2};
    pool.add_union(free_ones);
    pool.add_union(mixed);
    pool.add_union(free_ones);
    pool.add_union(deep);
    const auto all = std::move(pool).finish();
    REQUIRE(all.size() == 5);
    CHECK(all[3].is_free);
    CHECK(all[3].rule == "a+b");
    CHECK_FALSE(all[4].is_free);
}
