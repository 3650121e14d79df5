// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/host_rule.hpp>

#include <doctest/doctest.h>

#include "../lettered_graph.hpp"

using namespace inlay;

namespace {
struct reads_a_shape {
    template <class Context>
    bool operator()(const Context& context, node_id n) const {
        return context.graph.op(n) == "Oshape";
    }
};
}  // namespace

TEST_CASE("whatever is no call needs no kernel and is free; of calls those that the predicate names [candidate.rule.host]") {
    lettered_graph g;
    const node_id x = g.add("x"), c = g.add("c"), e = g.add("E", {x, c}), t = g.add("t", {e}), p = g.add("p", {t});
    g.add("Oshape", {p});
    const auto found = candidates_of(host_rule<>{}, g, flow_of(g)).candidates;
    CHECK(texts(found) == "{0} {1} {3} {4}");
    for (const ruled_subgraph& s : found) {
        CHECK(s.is_free);
        CHECK(s.rule == "host");
    }
    CHECK(texts(candidates_of(host_rule<reads_a_shape>{}, g, flow_of(g)).candidates) == "{0} {1} {3} {4} {5}");
    CHECK(texts(candidates_of(host_rule<>{}, g, flow_of(g, {1, 0, 0, 1, 0, 0})).candidates) == "{1} {4}");
}
