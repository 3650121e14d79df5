// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/predicate.hpp>

#include <doctest/doctest.h>

#include "../lettered_graph.hpp"

using namespace inlay;

TEST_CASE("a predicate answers with a bool or a verdict, and only the reason of a no is noted [candidate.rule.predicate]") {
    lettered_graph g;
    g.add("x");
    const dataflow flow = flow_of(g);
    std::vector<rule_note> notes;
    const rule_options options;
    const rule_context<lettered_graph> context{g, flow, no_owner{}, options, notes};
    CHECK(always{}(context, 0).taken);
    CHECK_FALSE(no_one{}(context, 0));
    CHECK(detail::is_taken(context, "r", 0, true));
    CHECK_FALSE(detail::is_taken(context, "r", 0, false));
    CHECK(detail::is_taken(context, "r", 0, verdict::yes()));
    CHECK(notes.empty());
    CHECK_FALSE(detail::is_taken(context, "r", 7, verdict::no("too wide")));
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].root == 7);
    CHECK(notes[0].reason == "too wide");
}
