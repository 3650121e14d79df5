// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/union_rule.hpp>

#include <doctest/doctest.h>

#include <inlay/candidate/rules/composite_rule.hpp>
#include <inlay/candidate/rules/host_rule.hpp>
#include <inlay/candidate/rules/kind_rule.hpp>

#include "../lettered_graph.hpp"

using namespace inlay;

TEST_CASE("what several rules propose stands one rule after the other, and stops where it is enough [candidate.rule.union]") {
    lettered_graph g;
    g.add("E", {g.add("x")});
    const dataflow flow = flow_of(g);
    using rule = union_rule<kind_rule<>, host_rule<>, kind_rule<>, composite_rule<"again", kind_rule<>>>;
    const auto found = candidates_of(rule{}, g, flow).candidates;
    REQUIRE(found.size() == 3);
    CHECK(found[0].rule == "E");
    CHECK(found[1].rule == "host");
    CHECK(found[2].rule == "again.E");

    std::vector<rule_note> notes;
    const rule_options options;
    const rule_context<lettered_graph> context{g, flow, no_owner{}, options, notes};
    std::string names;
    auto use = [&](ruled_subgraph&& c) {
        names += c.rule + ' ';
        return false;
    };
    CHECK_FALSE(rule::for_each_candidate(context, candidate_use(use)));
    CHECK(names == "E host E again.E ");  // equal ones are not dropped here
    std::size_t calls = 0;
    auto two = [&](ruled_subgraph&&) { return ++calls == 2; };
    CHECK(rule::for_each_candidate(context, candidate_use(two)));
    CHECK(calls == 2);
    CHECK(candidates_of(union_rule<>{}, g, flow).candidates.empty());
}
