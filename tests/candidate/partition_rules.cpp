// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/partition_rules.hpp>

#include <doctest/doctest.h>

#include <inlay/pattern/dsl/dsl.hpp>

#include "lettered_graph.hpp"

using namespace inlay;

namespace {

// A library that knows products with a sum, and single calls up to a kind: as one external back end of an owner.
using product_and_sum = decltype(dsl::commutative<"Badd">(dsl::op<"Amul">, dsl::any));
using library = primitive_rule<only_valid_rule<arbitrary_fusion<union_rule<composite_rule<"gemm", pattern_rule<"sum", product_and_sum>>,
                                                                           composite_rule<"one", kind_rule<op_kind::broadcast>>>,
                                                                3>,
                                               subgraph_limits{1, false, 3}>,
                               "lib">;
static_assert(partition_rule<library> && std::is_empty_v<library>);

}  // namespace

TEST_CASE("rules compose: patterns and single calls, joined, valid, owned by one library [candidate.rule.composed]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("Amul", {x, x}), b = g.add("Badd", {x, a});
    g.add("Erelu", {b});
    const auto found = candidates_of(library{}, g, flow_of(g)).candidates;
    CHECK(texts(found) == "{1,2} {2} {3} {1..3} {2,3}");
    const ruled_subgraph& whole = found[3];
    CHECK(whole.rule == "lib.gemm.sum+one.Erelu");
    REQUIRE(whole.part.nested().size() == 1);
    CHECK(whole.part.nested()[0].name == "lib");
    REQUIRE(whole.part.nested()[0].inside.size() == 2);
    CHECK(whole.part.nested()[0].inside[0].name == "gemm");
    CHECK(whole.part.nested()[0].inside[0].nodes == node_set{1, 2});
    CHECK(whole.part.nested()[0].inside[1].name == "one");
}
