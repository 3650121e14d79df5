// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/composite_rule.hpp>

#include <doctest/doctest.h>

#include <inlay/candidate/rules/kind_rule.hpp>

#include "../lettered_graph.hpp"

using namespace inlay;

TEST_CASE("each proposal becomes one composite of the name, and the names nest [candidate.rule.composite]") {
    lettered_graph g;
    g.add("E", {g.add("x")});
    const auto found = candidates_of(composite_rule<"outer", composite_rule<"inner", kind_rule<>>>{}, g, flow_of(g)).candidates;
    REQUIRE(found.size() == 1);
    CHECK(found[0].rule == "outer.inner.E");
    CHECK(found[0].part.nodes() == node_set{1});
    REQUIRE(found[0].part.nested().size() == 1);
    const nested_part& outer = found[0].part.nested()[0];
    CHECK(outer.name == "outer");
    CHECK(outer.what == nested_part::role::composite);
    CHECK(outer.nodes == node_set{1});
    REQUIRE(outer.inside.size() == 1);
    CHECK(outer.inside[0].name == "inner");
}
