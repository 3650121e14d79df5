// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/primitive_rule.hpp>

#include <doctest/doctest.h>

#include <inlay/candidate/rules/composite_rule.hpp>
#include <inlay/candidate/rules/kind_rule.hpp>

#include "../lettered_graph.hpp"

using namespace inlay;

TEST_CASE("each proposal is compiled as one by its owner, around the composites in it [candidate.rule.primitive]") {
    lettered_graph g;
    g.add("E", {g.add("x")});
    const auto found = candidates_of(primitive_rule<composite_rule<"relu", kind_rule<>>, "dnn">{}, g, flow_of(g)).candidates;
    REQUIRE(found.size() == 1);
    CHECK(found[0].rule == "dnn.relu.E");
    REQUIRE(found[0].part.nested().size() == 1);
    const nested_part& whole = found[0].part.nested()[0];
    CHECK(whole.what == nested_part::role::primitive);
    CHECK(whole.name == "dnn");
    REQUIRE(whole.inside.size() == 1);
    CHECK(whole.inside[0].name == "relu");
    const auto nobody = candidates_of(primitive_rule<kind_rule<>>{}, g, flow_of(g)).candidates;
    CHECK(nobody[0].rule == "E");
    CHECK(nobody[0].part.nested()[0].name.empty());
}
