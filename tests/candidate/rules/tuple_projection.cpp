// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/tuple_projection.hpp>

#include <doctest/doctest.h>

#include <inlay/candidate/rules/combine_rule.hpp>
#include <inlay/candidate/rules/kind_rule.hpp>

#include "../lettered_graph.hpp"

using namespace inlay;

static_assert(combiner<tuple_projection>);

TEST_CASE(
    "a subgraph of any kind is joined with each projection that reads it, and then with several [candidate.combine.tuple-projection]") {
    lettered_graph g;
    const node_id x = g.add("x"), split = g.add("A", {x});
    g.add("p", {split});
    g.add("p", {split});
    const auto found = candidates_of(combine_rule<kind_rule<>, 0, tuple_projection>{}, g, flow_of(g)).candidates;
    CHECK(texts(found) == "{1} {1,2} {1,3} {1..3}");
    CHECK(found[3].rule == "A");
}
