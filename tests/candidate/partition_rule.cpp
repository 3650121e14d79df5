// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/partition_rule.hpp>

#include <doctest/doctest.h>

#include "lettered_graph.hpp"

using namespace inlay;

namespace {

/// Each of two nodes once, the first one again, and once more under a name.
struct repeating_rule : partition_rule_tag {
    template <class Context>
    static bool for_each_candidate(const Context& context, const candidate_use& use) {
        const subgraph first(context.flow, {1}), second(context.flow, {2});
        return use({first, "a"}) || use({second, "a"}) || use({first, "b"}) ||
               use({named(context.flow, first, nested_part::role::composite, "c"), "c"});
    }
};
struct bounded_rule : partition_rule_tag {
    template <class Context>
    static bool for_each_candidate(const Context& context, const candidate_use&) {
        context.notes.push_back({rule_note::cause::bounded, "bounded", no_node, "there is more"});
        return false;
    }
};
struct with_a_number : partition_rule_tag {
    int number;
};
static_assert(partition_rule<repeating_rule> && !partition_rule<int> && !partition_rule<with_a_number>);

lettered_graph two_calls() {
    lettered_graph g;
    const node_id x = g.add("x");
    g.add("E", {x});
    g.add("E", {x});
    return g;
}

}  // namespace

TEST_CASE("of equal subgraphs the first stays, and one under another name is not equal [candidate.rule.first-of-equals]") {
    const lettered_graph g = two_calls();
    const ruled_subgraphs found = candidates_of(repeating_rule{}, g, flow_of(g));
    REQUIRE(found.candidates.size() == 3);
    CHECK(found.candidates[0].rule == "a");
    CHECK(found.candidates[1].part.nodes() == node_set{2});
    CHECK(found.candidates[2].rule == "c");
    CHECK(found.is_complete());
    CHECK(found.notes.empty());
}

TEST_CASE("a use that has enough stops the rule [candidate.rule.enough]") {
    const lettered_graph g = two_calls();
    const dataflow flow = flow_of(g);
    std::vector<rule_note> notes;
    const rule_options options;
    const rule_context<lettered_graph> context{g, flow, no_owner{}, options, notes};
    std::size_t calls = 0;
    auto use = [&](ruled_subgraph&&) { return ++calls == 2; };
    CHECK(repeating_rule::for_each_candidate(context, candidate_use(use)));
    CHECK(calls == 2);
    auto never = [&](ruled_subgraph&&) { return false; };
    CHECK_FALSE(repeating_rule::for_each_candidate(context, candidate_use(never)));
}

TEST_CASE("a rule that hit a bound leaves the list incomplete [candidate.rule.bounded]") {
    const lettered_graph g = two_calls();
    const ruled_subgraphs found = candidates_of(bounded_rule{}, g, flow_of(g));
    CHECK_FALSE(found.is_complete());
    REQUIRE(found.notes.size() == 1);
    CHECK(found.notes[0].reason == "there is more");
}

TEST_CASE("names nest with a dot, once [candidate.rule.names]") {
    CHECK(nested_name("outer", "inner") == "outer.inner");
    CHECK(nested_name("outer", "outer.inner") == "outer.inner");
    CHECK(nested_name("outer", "outer") == "outer");
    CHECK(nested_name("out", "outer") == "out.outer");
    CHECK(nested_name("", "inner") == "inner");
    CHECK(nested_name("outer", "") == "outer");
}

TEST_CASE("the names of what was joined stand once each [candidate.combine.names]") {
    CHECK(joined_rules("conv", "relu") == "conv+relu");
    CHECK(joined_rules("conv+relu", "relu") == "conv+relu");
    CHECK(joined_rules("relu", "conv+relu+add") == "relu+conv+add");
    CHECK(joined_rules("conv_relu", "relu") == "conv_relu+relu");
    CHECK(joined_rules("", "relu") == "relu");
}

TEST_CASE("many candidates are told apart [candidate.rule.first-of-equals]") {
    lettered_graph g;
    g.add("x");
    for (node_id n = 1; n < 40; ++n) g.add("E", {n - 1});
    const dataflow flow = flow_of(g);
    std::vector<ruled_subgraph> all;
    detail::subgraph_index index;
    for (node_id a = 1; a < 40; ++a)
        for (node_id b = a; b < 40; ++b) {
            const node_set nodes{a, b};
            CHECK(index.find(all, nodes, {}) == detail::subgraph_index::none);
            all.push_back({subgraph(flow, nodes), "pair"});
            index.add_last(all);
        }
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(index.find(all, all[i].part.nodes(), {}) == i);
}
