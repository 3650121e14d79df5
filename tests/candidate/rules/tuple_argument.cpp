// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/tuple_argument.hpp>

#include <doctest/doctest.h>

#include <inlay/candidate/rules/by_kind.hpp>
#include <inlay/candidate/rules/combine_rule.hpp>
#include <inlay/candidate/rules/kind_rule.hpp>
#include <inlay/candidate/rules/pattern_rule.hpp>
#include <inlay/candidate/rules/union_rule.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

#include "../lettered_graph.hpp"

using namespace inlay;

static_assert(combiner<tuple_argument>);

namespace {
using through_tuples = combine_rule<kind_rule<>, 0, tuple_argument>;
using with_chains = combine_rule<kind_rule<>, 0, by_kind<op_kind::injective, op_kind::injective>, tuple_argument>;

template <class Rule>
std::string joined(const lettered_graph& g) {
    return texts(candidates_of(Rule{}, g, flow_of(g)).candidates);
}
}  // namespace

TEST_CASE("a reader of a tuple is joined with the tuple and a maker of each field [candidate.combine.tuple-argument]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), b = g.add("B", {x}), t = g.add("t", {a, b});
    g.add("I", {t});
    CHECK(joined<through_tuples>(g) == "{1} {2} {4} {1..4}");
}

TEST_CASE("each choice of makers makes a union of its own [candidate.combine.tuple-argument-choices]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), b = g.add("E", {a}), c = g.add("E", {x}), t = g.add("t", {b, c});
    g.add("I", {t});
    CHECK(node_lists(candidates_of(with_chains{}, g, flow_of(g)).candidates) ==
          std::set<std::vector<node_id>>{{1}, {2}, {3}, {5}, {1, 2}, {2, 3, 4, 5}, {1, 2, 3, 4, 5}});
}

TEST_CASE("a field that stands twice in the tuple needs one maker [candidate.combine.tuple-repeated-field]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), t = g.add("t", {a, a});
    g.add("I", {t});
    CHECK(joined<through_tuples>(g) == "{1} {3} {1..3}");
}

TEST_CASE("makers that overlap are not joined, and one maker may give several fields [candidate.combine.tuple-overlap]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), b = g.add("E", {a}), t = g.add("t", {a, b});
    g.add("I", {t});
    CHECK(joined<with_chains>(g) == "{1} {2} {4} {1,2} {1..4}");
}

TEST_CASE("makers that have a node in common make no union, even where there are no others [candidate.combine.tuple-overlap]") {
    using first = decltype(dsl::op<"Eq">(dsl::op<"Ep">));
    using second = decltype(dsl::op<"Er">(dsl::op<"Ep">));
    using reader = decltype(dsl::op<"Icat">);
    using rule =
        combine_rule<union_rule<pattern_rule<"q", first>, pattern_rule<"r", second>, pattern_rule<"cat", reader>>, 0, tuple_argument>;
    lettered_graph g;
    const node_id x = g.add("x"), p = g.add("Ep", {x}), q = g.add("Eq", {p}), r = g.add("Er", {p}), t = g.add("t", {q, r});
    g.add("Icat", {t});
    CHECK(joined<rule>(g) == "{1,2} {1,3} {5}");
}

TEST_CASE("without a maker for every field, or with one of too great a kind, nothing is joined [candidate.combine.tuple-argument]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), t = g.add("t", {a, x}), r = g.add("R", {x}), u = g.add("t", {a, r});
    g.add("I", {t});
    g.add("I", {u});
    const node_id v = g.add("t", {a});
    g.add("A", {v});
    CHECK(joined<through_tuples>(g) == "{1} {3} {5} {6} {8}");
}

TEST_CASE("many fields with many makers end at the bound on tries, with a note [candidate.combine.tuple-bound]") {
    lettered_graph g;
    std::vector<node_id> fields;
    const node_id x = g.add("x");
    for (int i = 0; i < 10; ++i) {
        node_id n = x;
        for (int k = 0; k < 4; ++k) n = g.add("E", {n});
        fields.push_back(n);
    }
    g.add("I", {g.add("t", fields)});
    rule_options options;
    options.combinations = 2000;
    const ruled_subgraphs found = candidates_of(with_chains{}, g, flow_of(g), no_owner{}, options);
    CHECK_FALSE(found.is_complete());
    CHECK(found.candidates.size() < 2200);
}
