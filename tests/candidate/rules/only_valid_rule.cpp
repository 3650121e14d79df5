// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/only_valid_rule.hpp>

#include <doctest/doctest.h>

#include <inlay/candidate/rules/by_kind.hpp>
#include <inlay/candidate/rules/combine_rule.hpp>
#include <inlay/candidate/rules/kind_rule.hpp>

#include "../lettered_graph.hpp"

using namespace inlay;

TEST_CASE("only what is valid within the limits passes, also what became so by growing through what is not [candidate.rule.only-valid]") {
    // {1,2} and {1,3} have taps, and two exits each; the whole has neither.
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), b = g.add("E", {a}), c = g.add("E", {a});
    g.add("E", {b, c});
    using anything = combine_rule<kind_rule<>, 0, by_kind<op_kind::anchor, op_kind::anchor>>;
    CHECK(texts(candidates_of(only_valid_rule<anything, subgraph_limits{1, false, 0}>{}, g, flow_of(g)).candidates) ==
          "{1} {2} {3} {4} {2,4} {3,4} {2..4} {1..4}");
    CHECK(texts(candidates_of(only_valid_rule<anything, subgraph_limits{1, false, 2}>{}, g, flow_of(g)).candidates) ==
          "{1} {2} {3} {4} {2,4} {3,4} {2..4}");
    CHECK(candidates_of(only_valid_rule<anything, subgraph_limits{0, true, 0}>{}, g, flow_of(g)).candidates.size() ==
          candidates_of(anything{}, g, flow_of(g)).candidates.size());
}
