// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/combine_rule.hpp>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/candidate/rules/composite_rule.hpp>
#include <inlay/candidate/rules/constant_argument.hpp>
#include <inlay/candidate/rules/fusion_style.hpp>
#include <inlay/candidate/rules/kind_rule.hpp>
#include <inlay/candidate/rules/union_rule.hpp>

#include "closure.hpp"

using namespace inlay;

namespace {

template <std::size_t Depth = 0>
using anything = combine_rule<kind_rule<>, Depth, by_kind<op_kind::anchor, op_kind::anchor>>;

const std::vector<std::pair<op_kind, op_kind>> fuser_pairs{
    {op_kind::anchor, op_kind::broadcast}, {op_kind::broadcast, op_kind::reduction}, {op_kind::injective, op_kind::injective}};

lettered_graph chain(std::size_t length) {
    lettered_graph g;
    g.add("x");
    for (node_id n = 0; n < length; ++n) g.add("E", {n});
    return g;
}

/// A convolution (11) and a chain of broadcasts (21, 23) that a sum (24) reads; apart from it a chain of six broadcasts.
lettered_graph two_producers() {
    lettered_graph g;
    const auto inputs_up_to = [&](node_id end) {
        while (g.size() < end) g.add("x");
    };
    g.add("x");
    for (node_id n = 0; n < 6; ++n) g.add("B", {n});
    g.add("O", {6});
    inputs_up_to(11);
    g.add("A", {10});
    inputs_up_to(21);
    g.add("B", {20});
    inputs_up_to(23);
    g.add("B", {21, 22});
    g.add("B", {11, 23});
    return g;
}

}  // namespace

TEST_CASE("two independent producers of one consumer are joined with it [candidate.combine.both-producers]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), b = g.add("E", {x}), c = g.add("E", {a, b});
    const auto found = node_lists(candidates_of(anything<>{}, g, flow_of(g)).candidates);
    CHECK(found.count({a, b, c}) == 1);
    CHECK(found.size() == 6);  // three alone, {a,c}, {b,c}, and all
}

TEST_CASE("31 sets where a pair with an old upstream counts, 29 where it is skipped [candidate.combine.31-sets]") {
    const lettered_graph g = two_producers();
    const dataflow flow = flow_of(g);
    const auto found = node_lists(candidates_of(tvm_fusion<kind_rule<>, 0>{}, g, flow).candidates);
    CHECK(found.size() == 31);
    CHECK(found.count({11, 23, 24}) == 1);
    CHECK(found.count({11, 21, 23, 24}) == 1);
    const std::vector<ruled_subgraph> alone = candidates_of(kind_rule<>{}, g, flow).candidates;
    closure model{flow, 0, fuser_pairs};
    CHECK(model.of(alone) == found);
    model.skips_old_upstream = true;
    auto fewer = model.of(alone);
    CHECK(fewer.size() == 29);
    fewer.insert({11, 23, 24});
    fewer.insert({11, 21, 23, 24});
    CHECK(fewer == found);
}

TEST_CASE(
    "unions deeper than allowed are not made, and their own depth counts, not the sum of the joined ones' [candidate.combine.depth]") {
    const lettered_graph g = chain(4);
    CHECK(texts(candidates_of(anything<2>{}, g, flow_of(g)).candidates) == "{1} {2} {3} {4} {1,2} {2,3} {3,4}");
    CHECK(candidates_of(anything<0>{}, g, flow_of(g)).candidates.size() == 10);
    // Two chains of two into one node: three deep, though the depths of {1,2} and {3,4,5} add up to five.
    lettered_graph y;
    const node_id x = y.add("x"), a = y.add("E", {x}), b = y.add("E", {a}), c = y.add("E", {x}), d = y.add("E", {c}),
                  e = y.add("E", {b, d});
    CHECK(node_lists(candidates_of(anything<3>{}, y, flow_of(y)).candidates).count({a, b, c, d, e}) == 1);
}

TEST_CASE("the order is that in which candidates come about, the same every time [candidate.combine.order]") {
    const lettered_graph g = chain(3);
    const std::string first = texts(candidates_of(anything<>{}, g, flow_of(g)).candidates);
    CHECK(first == "{1} {2} {3} {1,2} {2,3} {1..3}");
    CHECK(texts(candidates_of(anything<>{}, g, flow_of(g)).candidates) == first);
}

TEST_CASE("equal subgraphs are merged into the first, and none deletes another [candidate.combine.duplicates]") {
    const lettered_graph g = chain(2);
    using twice = union_rule<kind_rule<>, kind_rule<>>;
    const auto found = candidates_of(combine_rule<twice, 0, by_kind<op_kind::anchor, op_kind::anchor>>{}, g, flow_of(g)).candidates;
    CHECK(texts(found) == "{1} {2} {1,2}");
    // The same nodes under other names are another candidate.
    using named = union_rule<composite_rule<"a", kind_rule<>>, composite_rule<"b", kind_rule<>>>;
    const auto apart = candidates_of(combine_rule<named, 0, by_kind<op_kind::anchor, op_kind::anchor>>{}, g, flow_of(g)).candidates;
    CHECK(texts(apart) == "{1} {2} {1} {2} {1,2} {1,2} {1,2} {1,2}");
}

TEST_CASE("a union has the names of what was joined, each once, and its nested parts [candidate.combine.names]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("A", {x}), e = g.add("E", {a});
    g.add("E", {e});
    const auto found =
        candidates_of(combine_rule<composite_rule<"lib", kind_rule<>>, 0, by_kind<op_kind::anchor, op_kind::anchor>>{}, g, flow_of(g))
            .candidates;
    REQUIRE(found.size() == 6);
    CHECK(found[3].rule == "lib.A+lib.E");
    CHECK(found[4].rule == "lib.E");
    CHECK(found[5].rule == "lib.A+lib.E");
    REQUIRE(found[5].part.nested().size() == 3);
    CHECK(found[5].part.nested()[0].name == "lib");
    CHECK(found[5].part.nested()[2].nodes == node_set{3});
}

TEST_CASE("where a bound is hit a note says so, and what was found is sound [candidate.combine.bound]") {
    const lettered_graph g = chain(12);
    rule_options few;
    few.candidates = 10;
    const ruled_subgraphs some = candidates_of(anything<>{}, g, flow_of(g), no_owner{}, few);
    CHECK(some.candidates.size() == 22);
    CHECK_FALSE(some.is_complete());
    REQUIRE(some.notes.size() == 1);
    CHECK(some.notes[0].why == rule_note::cause::bounded);
    CHECK(some.notes[0].reason ==
          "combining stopped when it had made 10 subgraphs out of 12; raise rule_options::candidates, or combine to less depth");
    const auto all = node_lists(candidates_of(anything<>{}, g, flow_of(g)).candidates);
    for (const auto& nodes : node_lists(some.candidates)) CHECK(all.count(nodes) == 1);

    rule_options short_breath;
    short_breath.combinations = 7;
    const ruled_subgraphs tired = candidates_of(anything<>{}, g, flow_of(g), no_owner{}, short_breath);
    REQUIRE(tired.notes.size() == 1);
    CHECK(tired.notes[0].reason ==
          "combining stopped after 7 tries, having made 7 subgraphs out of 12; raise rule_options::combinations, or combine to less depth");

    // Just enough is no bound that was hit.
    rule_options enough;
    enough.candidates = 66;
    const ruled_subgraphs full = candidates_of(anything<>{}, g, flow_of(g), no_owner{}, enough);
    CHECK(full.is_complete());
    CHECK(full.candidates.size() == 78);
}

TEST_CASE("neither unions over several blocks nor such with nodes of an existing part are made [candidate.combine.mending]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), b = g.add("E", {a}), c = g.add("E", {b}, 1);
    g.add("E", {c}, 1);
    CHECK(texts(candidates_of(anything<>{}, g, flow_of(g)).candidates) == "{1} {2} {3} {4} {1,2} {3,4}");
    CHECK(texts(candidates_of(anything<>{}, g, flow_of(g, {0, 1, 0, 0, 0})).candidates) == "{2} {3} {4} {3,4}");
}

TEST_CASE("over random graphs, combining by kinds finds what trying everything again and again finds [candidate.combine.closure]") {
    std::size_t largest = 0;
    CHECK(rc::check("by kinds", [&] {
        const lettered_graph g = random_lettered(*rc::gen::arbitrary<std::uint32_t>(), 9);
        const dataflow flow = flow_of(g);
        const auto alone = candidates_of(kind_rule<>{}, g, flow).candidates;
        const auto fused = node_lists(candidates_of(tvm_fusion<kind_rule<>, 0>{}, g, flow).candidates);
        RC_ASSERT(fused == (closure{flow, 0, fuser_pairs}.of(alone)));
        const auto shallow = node_lists(candidates_of(tvm_fusion<kind_rule<>, 3>{}, g, flow).candidates);
        RC_ASSERT(shallow == (closure{flow, 3, fuser_pairs}.of(alone)));
        const auto arbitrary = node_lists(candidates_of(arbitrary_fusion<kind_rule<>, 0>{}, g, flow).candidates);
        RC_ASSERT(arbitrary == (closure{flow, 0, {{op_kind::anchor, op_kind::anchor}}}.of(alone)));
        largest = std::max(largest, arbitrary.size());
    }));
    CHECK(largest > 40);
}

TEST_CASE(
    "over random graphs with tuples, combining through tuples finds what trying everything again and again finds "
    "[candidate.combine.closure]") {
    std::size_t more = 0;
    CHECK(rc::check("through tuples", [&] {
        const lettered_graph g = random_lettered(*rc::gen::arbitrary<std::uint32_t>(), 9, true);
        const dataflow flow = flow_of(g);
        const auto alone = candidates_of(kind_rule<op_kind::injective>{}, g, flow).candidates;
        closure model{flow, 0, {{op_kind::injective, op_kind::injective}}, true, true, true};
        using rule = combine_rule<kind_rule<op_kind::injective>, 0, by_kind<op_kind::injective, op_kind::injective>, tuple_argument,
                                  tuple_projection, constant_argument>;
        const auto found = node_lists(candidates_of(rule{}, g, flow).candidates);
        RC_ASSERT(found == model.of(alone));
        model.tuple_arguments = false;
        more += found.size() > model.of(alone).size() ? 1 : 0;
    }));
    CHECK(more != 0);
}
