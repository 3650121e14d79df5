// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/coalesce.hpp>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/candidate/rules/composite_rule.hpp>
#include <inlay/candidate/rules/kind_rule.hpp>
#include <inlay/candidate/rules/primitive_rule.hpp>

#include "lettered_graph.hpp"

using namespace inlay;

namespace {

owned_subgraph chosen(const dataflow& flow, const node_set& nodes, backend_id owner = 0, const char* rule = "r") {
    return {{subgraph(flow, nodes), rule}, owner};
}
std::string texts_of(const outcome<std::vector<owned_subgraph>>& all) {
    if (!all) return all.failure().message;
    std::string text;
    for (const owned_subgraph& c : *all) text += (text.empty() ? "" : " ") + to_string(c.chosen.part.nodes());
    return text;
}

}  // namespace

TEST_CASE("an upstream with two downstreams of its owner makes one part, not two that overlap [candidate.coalesce.overlap]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), b = g.add("E", {a}), c = g.add("E", {a});
    const dataflow flow = flow_of(g);
    CHECK(texts_of(coalesce(flow, {chosen(flow, {a}), chosen(flow, {b}), chosen(flow, {c})})) == "{1..3}");
}

TEST_CASE("neighbours of one owner are joined, others and those of another owner are not [candidate.coalesce.neighbours]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), b = g.add("E", {a}), c = g.add("E", {b}), d = g.add("E", {x});
    const dataflow flow = flow_of(g);
    CHECK(texts_of(coalesce(flow, {chosen(flow, {d}), chosen(flow, {c}, 1), chosen(flow, {b}), chosen(flow, {a})})) == "{1,2} {3} {4}");
}

TEST_CASE(
    "a union may have several exits where the limits allow it, and what stands between keeps parts apart [candidate.coalesce.exits]") {
    // r0, r1 = relu(r0), abs(r1) elsewhere; a tuple of r0 and r1 leaves.
    lettered_graph g;
    const node_id x = g.add("x"), r0 = g.add("E", {x}), r1 = g.add("E", {r0}), other = g.add("E", {r1});
    g.add("t", {r0, r1, other});
    const dataflow flow = flow_of(g);
    const auto joined = coalesce(flow, {chosen(flow, {r0}), chosen(flow, {r1}), chosen(flow, {other}, 1), chosen(flow, {4}, 2)});
    CHECK(texts_of(joined) == "{1,2} {3} {4}");
    CHECK((*joined)[0].chosen.part.exits() == node_set{r0, r1});

    // r0 and r1 = relu(r0) go into a tuple, and that into a concatenation.
    lettered_graph h;
    const node_id y = h.add("x"), s0 = h.add("E", {y}), s1 = h.add("E", {s0}), t = h.add("t", {s0, s1}), cat = h.add("I", {t});
    const dataflow through = flow_of(h);
    CHECK(texts_of(coalesce(through, {chosen(through, {s0}), chosen(through, {s1}), chosen(through, {t}, 1), chosen(through, {cat})})) ==
          "{1,2} {3} {4}");
}

TEST_CASE("a union over the limits is not made [candidate.coalesce.limits]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), b = g.add("E", {a}), c = g.add("E", {b}), d = g.add("E", {c});
    g.add("O", {d, b});
    const dataflow flow = flow_of(g);
    const std::vector<owned_subgraph> all{chosen(flow, {a}), chosen(flow, {b}), chosen(flow, {c}), chosen(flow, {d})};
    CHECK(texts_of(coalesce(flow, all)) == "{1..4}");
    CHECK(texts_of(coalesce(flow, all, {0, true, 2})) == "{1,2} {3,4}");
    CHECK(texts_of(coalesce(flow, all, {1, false, 0})) == "{1,2} {3,4}");  // b is read outside
}

TEST_CASE("a diamond of one owner becomes one part, though its tip and its end cannot be joined first [candidate.coalesce.again]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), b = g.add("E", {a}), c = g.add("E", {a}), d = g.add("E", {a, b, c});
    const dataflow flow = flow_of(g);
    CHECK(texts_of(coalesce(flow, {chosen(flow, {a}), chosen(flow, {b}), chosen(flow, {c}), chosen(flow, {d})})) == "{1..4}");
    CHECK(texts_of(coalesce(flow, {chosen(flow, {a}), chosen(flow, {b}), chosen(flow, {c}, 1), chosen(flow, {d})})) == "{1,2} {3} {4}");
}

TEST_CASE("two convex unions that would read from each other are not both made [candidate.coalesce.acyclic]") {
    // a -> b, c -> d, b -> c' ... : {1,4} and {2,3} are convex each, and together a cycle.
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), b = g.add("E", {a}), c = g.add("E", {x}), d = g.add("E", {c, a});
    g.add("E", {b, c});
    g.add("E", {d});
    const dataflow flow = flow_of(g);
    // Owner 0: a and d (d reads a). Owner 1: c and the reader of b and c.
    const auto joined = coalesce(flow, {chosen(flow, {a}), chosen(flow, {d}), chosen(flow, {b}, 2), chosen(flow, {c}, 1),
                                        chosen(flow, {5}, 1), chosen(flow, {6}, 3)});
    CHECK(texts_of(joined) == "{1,4} {2} {3} {5} {6}");
}

TEST_CASE("a union has the names of both, once, and its primitive parts become one [candidate.coalesce.names]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("A", {x}), e = g.add("E", {a});
    g.add("E", {e});
    const dataflow flow = flow_of(g);
    std::vector<owned_subgraph> all;
    for (ruled_subgraph& c : candidates_of(primitive_rule<composite_rule<"op", kind_rule<>>, "dnn">{}, g, flow).candidates)
        all.push_back({std::move(c), 4});
    const auto joined = coalesce(flow, std::move(all));
    REQUIRE(joined);
    REQUIRE(joined->size() == 1);
    const owned_subgraph& one = joined->front();
    CHECK(one.owner == 4);
    CHECK(one.chosen.rule == "dnn.op.A+dnn.op.E");
    CHECK(one.chosen.part.kind() == op_kind::anchor);
    REQUIRE(one.chosen.part.nested().size() == 1);
    CHECK(one.chosen.part.nested()[0].inside.size() == 3);
}

TEST_CASE("chosen parts that overlap, or read from each other in a cycle, are refused [candidate.coalesce.refused]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), b = g.add("E", {a}), c = g.add("E", {x});
    g.add("E", {c});
    const dataflow flow = flow_of(g);
    CHECK(texts_of(coalesce(flow, {chosen(flow, {a, b}), chosen(flow, {b, c})})) ==
          "node 2 is in {1,2} and in {2,3}; choose parts that do not overlap");
    CHECK(texts_of(coalesce(flow, {chosen(flow, {1, 4}), chosen(flow, {2, 3})})) ==
          "the chosen parts read from each other in a cycle; choose parts that can run one after the other");
}

TEST_CASE(
    "over random choices, coalesced parts are disjoint, valid, acyclic together, take the same nodes, and no two more can be joined "
    "[candidate.coalesce.law]") {
    std::size_t joined_some = 0;
    CHECK(rc::check("coalesced parts", [&] {
        const lettered_graph g = random_lettered(*rc::gen::arbitrary<std::uint32_t>(), 14);
        std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
        const dataflow flow = flow_of(g);
        const subgraph_limits most{random() % 3, random() % 2 == 0, random() % 4};
        std::vector<owned_subgraph> all;
        std::vector<backend_id> owner(g.size());
        for (node_id n = 2; n < g.size(); ++n) {
            if (random() % 8 == 0) continue;
            owner[n] = static_cast<backend_id>(1 + random() % 2);
            all.push_back(chosen(flow, {n}, owner[n]));
        }
        const auto made = coalesce(flow, all, most);
        RC_ASSERT(made.has_value());
        node_set before, after;
        std::vector<node_set> sets;
        for (const owned_subgraph& c : all) before = before | c.chosen.part.nodes();
        for (const owned_subgraph& c : *made) {
            const node_set& nodes = c.chosen.part.nodes();
            RC_ASSERT(disjoint(after, nodes));
            after = after | nodes;
            sets.push_back(nodes);
            for (const node_id n : nodes) RC_ASSERT(owner[n] == c.owner);
            if (nodes.size() > 1) RC_ASSERT(static_cast<bool>(validity_of(flow, c.chosen.part, most)));
        }
        RC_ASSERT(before == after);
        RC_ASSERT(quotient(flow, sets).is_acyclic());
        joined_some += made->size() < all.size() ? 1 : 0;
        for (const owned_subgraph& up : *made)
            for (const owned_subgraph& down : *made) {
                if (up.owner != down.owner || disjoint(up.chosen.part.outputs(), down.chosen.part.nodes())) continue;
                const auto both = disjoint_union(flow, up.chosen.part, down.chosen.part);
                if (!both || !validity_of(flow, *both, most)) continue;
                std::vector<node_set> one_less;
                for (const node_set& s : sets)
                    if (!is_subset(s, both->nodes())) one_less.push_back(s);
                one_less.push_back(both->nodes());
                RC_ASSERT(!quotient(flow, one_less).is_acyclic());
            }
    }));
    CHECK(joined_some > 20);
}
