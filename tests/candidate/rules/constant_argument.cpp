// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/constant_argument.hpp>

#include <doctest/doctest.h>

#include <inlay/candidate/rules/combine_rule.hpp>
#include <inlay/candidate/rules/kind_rule.hpp>

#include "../lettered_graph.hpp"

using namespace inlay;

static_assert(combiner<constant_argument>);

TEST_CASE("a subgraph is joined with all of its constants at once, not with those that are inlined [candidate.combine.constant-argument]") {
    lettered_graph g;
    const node_id x = g.add("x"), weight = g.add("c"), bias = g.add("c"), scalar = g.add("s");
    g.add("A", {x, weight, bias, scalar});
    const auto found = candidates_of(combine_rule<kind_rule<>, 0, constant_argument>{}, g, flow_of(g)).candidates;
    CHECK(texts(found) == "{4} {1,2,4}");
}
