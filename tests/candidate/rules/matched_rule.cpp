// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/matched_rule.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "closure.hpp"

using namespace inlay;

TEST_CASE("what the pattern table took is proposed in its order, as often as the rule is asked") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), b = g.add("E", {a});
    const dataflow flow = flow_of(g);
    struct instance_type {
    } instance;
    const rule_owner<instance_type> owner{instance, {{subgraph(flow, node_set{b}), "second"}, {subgraph(flow, node_set{a}), "first"}}};
    for (int i = 0; i < 2; ++i) {
        const ruled_subgraphs found = candidates_of(matched_rule{}, g, flow, owner);
        REQUIRE(found.candidates.size() == 2);
        CHECK(found.candidates[0].part.nodes() == node_set{b});
        CHECK(found.candidates[0].rule == "second");
        CHECK(found.candidates[1].rule == "first");
    }
}
