// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/fusion_style.hpp>

#include <doctest/doctest.h>

#include <inlay/candidate/rules/kind_rule.hpp>
#include <inlay/candidate/rules/only_valid_rule.hpp>

#include "../lettered_graph.hpp"

using namespace inlay;

namespace {

/// x -> A1 -> B2 -> R3, x -> I4 -> t5 -> I6
lettered_graph all_kinds() {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("A", {x}), b = g.add("B", {a});
    g.add("R", {b});
    const node_id i = g.add("I", {x}), t = g.add("t", {i});
    g.add("I", {t});
    return g;
}

template <class Rule>
std::string joined() {
    const lettered_graph g = all_kinds();
    return texts(candidates_of(Rule{}, g, flow_of(g)).candidates);
}

}  // namespace

TEST_CASE("no fusion joins nothing, a fuser's joins by its kinds, arbitrary fusion whatever touches up to anchors [candidate.style]") {
    CHECK(joined<no_fusion<kind_rule<>, 4>>() == "{1} {2} {3} {4} {6}");
    CHECK(joined<tvm_fusion<kind_rule<>, 4>>() == "{1} {2} {3} {4} {6} {1,2} {2,3}");
    CHECK(joined<tvm_tuple_fusion<kind_rule<>, 4>>() == "{1} {2} {3} {4} {6} {1,2} {2,3} {4..6}");
    CHECK(joined<arbitrary_fusion<kind_rule<>, 4>>() == "{1} {2} {3} {4} {6} {1,2} {2,3} {1..3}");
}

TEST_CASE("the rule of a fuser: one exit, no taps, no deeper than asked [candidate.style.native]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("A", {x}), b = g.add("E", {a}), c = g.add("E", {b});
    g.add("O", {a, c});
    using native = only_valid_rule<tvm_tuple_fusion<kind_rule<>, 2>, subgraph_limits{1, false, 2}>;
    CHECK(texts(candidates_of(native{}, g, flow_of(g)).candidates) == "{1} {2} {3} {2,3}");
}
