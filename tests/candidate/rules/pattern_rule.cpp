// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/pattern_rule.hpp>

#include <doctest/doctest.h>

#include <inlay/pattern/dsl/dsl.hpp>

#include "../lettered_graph.hpp"

using namespace inlay;

namespace {

using sum_of_product = decltype(dsl::commutative<"Badd">(dsl::as<"product">(dsl::op<"Bmul">), dsl::any));
static_assert(partition_rule<pattern_rule<"x", sum_of_product>>);

struct from_the_first {
    template <class Context, class Match>
    verdict operator()(const Context&, const Match& m) const {
        return m.template at<"product">() == 1 ? verdict::yes()
                                               : verdict::no("it is product " + std::to_string(m.template at<"product">()));
    }
};

struct from_the_second {
    template <class Context, class Match>
    bool operator()(const Context&, const Match& m) const {
        return m.template at<"product">() == 2;
    }
};

/// Two products, and their sum.
lettered_graph two_products() {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("Bmul", {x, x}), b = g.add("Bmul", {x, x});
    g.add("Badd", {a, b});
    return g;
}

}  // namespace

TEST_CASE("all matches at a root that have different nodes are proposed [candidate.rule.pattern]") {
    const lettered_graph g = two_products();
    const auto found = candidates_of(pattern_rule<"sum", sum_of_product>{}, g, flow_of(g)).candidates;
    CHECK(texts(found) == "{1,3} {2,3}");
    CHECK(found[0].rule == "sum");
}

TEST_CASE("the policy first_only takes the first match at each root and looks no further [candidate.rule.pattern-first]") {
    const lettered_graph g = two_products();
    CHECK(texts(candidates_of(pattern_rule<"sum", sum_of_product, always, first_only>{}, g, flow_of(g)).candidates) == "{1,3}");
    CHECK(candidates_of(pattern_rule<"sum", sum_of_product, from_the_second, first_only>{}, g, flow_of(g)).candidates.empty());
    CHECK(texts(candidates_of(pattern_rule<"sum", sum_of_product, from_the_second>{}, g, flow_of(g)).candidates) == "{2,3}");
}

TEST_CASE("the predicate sees the match, and its no is noted [candidate.rule.pattern-predicate]") {
    const lettered_graph g = two_products();
    const ruled_subgraphs found = candidates_of(pattern_rule<"sum", sum_of_product, from_the_first>{}, g, flow_of(g));
    CHECK(texts(found.candidates) == "{1,3}");
    REQUIRE(found.notes.size() == 1);
    CHECK(found.notes[0].root == 3);
    CHECK(found.notes[0].reason == "it is product 2");
}

TEST_CASE("a word of the language is a pattern by itself [candidate.rule.pattern]") {
    const lettered_graph g = two_products();
    CHECK(texts(candidates_of(pattern_rule<"call", decltype(dsl::any_call)>{}, g, flow_of(g)).candidates) == "{1} {2} {3}");
    CHECK(texts(candidates_of(pattern_rule<"sum", decltype(dsl::op<"Badd">)>{}, g, flow_of(g)).candidates) == "{3}");
}

TEST_CASE("without a name a proposal has the label of its nodes [candidate.rule.pattern-label]") {
    const lettered_graph g = two_products();
    CHECK(candidates_of(pattern_rule<"", sum_of_product>{}, g, flow_of(g)).candidates[0].rule == "Bmul+Badd");
}

TEST_CASE("matches beyond the bound on one root are noted [candidate.rule.pattern-bound]") {
    const lettered_graph g = two_products();
    rule_options one;
    one.matches_per_root = 1;
    const ruled_subgraphs found = candidates_of(pattern_rule<"sum", sum_of_product>{}, g, flow_of(g), no_owner{}, one);
    CHECK(texts(found.candidates) == "{1,3}");
    CHECK_FALSE(found.is_complete());
    REQUIRE(found.notes.size() == 1);
    CHECK(found.notes[0].root == 3);
    CHECK(found.notes[0].reason ==
          "there are more than 1 matches at node 3; the others were not looked at: raise rule_options::matches_per_root to see them");
    one.matches_per_root = 2;
    CHECK(candidates_of(pattern_rule<"sum", sum_of_product>{}, g, flow_of(g), no_owner{}, one).is_complete());
}

TEST_CASE("what stands for an operand, inlined or in an existing part is not inside [candidate.rule.pattern-inside]") {
    lettered_graph g;
    const node_id x = g.add("x"), s = g.add("s"), c = g.add("c"), a = g.add("Bmul", {x, s});
    g.add("Badd", {a, c});
    using sum_with_constant = decltype(dsl::op<"Badd">(dsl::op<"Bmul">(dsl::any, dsl::constant), dsl::constant));
    CHECK(texts(candidates_of(pattern_rule<"sum", sum_with_constant>{}, g, flow_of(g)).candidates) == "{3,4}");
    CHECK(candidates_of(pattern_rule<"sum", sum_with_constant>{}, g, flow_of(g, {0, 0, 0, 1, 0})).candidates.empty());
}
