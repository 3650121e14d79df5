// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/kind_rule.hpp>

#include <doctest/doctest.h>

#include "../lettered_graph.hpp"

using namespace inlay;

static_assert(partition_rule<kind_rule<>>);

TEST_CASE("each call up to a kind by itself, and nothing that is no call [candidate.rule.kind]") {
    lettered_graph g;
    const node_id x = g.add("x"), c = g.add("c"), e = g.add("Exp", {x, c}), a = g.add("A", {e}), t = g.add("t", {a, e});
    g.add("p", {t});
    g.add("O", {a});
    const auto found = candidates_of(kind_rule<>{}, g, flow_of(g)).candidates;
    CHECK(texts(found) == "{2} {3}");
    CHECK(found[0].rule == "Exp");
    CHECK_FALSE(found[0].is_free);
    CHECK(texts(candidates_of(kind_rule<op_kind::reduction>{}, g, flow_of(g)).candidates) == "{2}");
    CHECK(texts(candidates_of(kind_rule<op_kind::opaque>{}, g, flow_of(g)).candidates) == "{2} {3} {6}");
}

TEST_CASE("nodes of existing parts are left alone [candidate.rule.owned]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x});
    g.add("E", {a});
    CHECK(texts(candidates_of(kind_rule<>{}, g, flow_of(g, {0, 1, 0})).candidates) == "{2}");
}
