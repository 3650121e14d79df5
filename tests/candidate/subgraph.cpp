// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/subgraph.hpp>

#include <algorithm>
#include <functional>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/graph/reachability.hpp>

#include "lettered_graph.hpp"

using namespace inlay;

namespace {

/// The longest path inside from an entry to an exit, all paths walked.
std::size_t depth_by_walking(const lettered_graph& g, const dataflow& flow, const subgraph& s) {
    std::size_t longest = 0;
    const std::function<void(node_id, std::size_t)> walk = [&](node_id n, std::size_t length) {
        if (s.exits().has(n)) longest = std::max(longest, length);
        for (node_id u = 0; u < g.size(); ++u)
            if (s.nodes().has(u) && std::count(g.reads[u].begin(), g.reads[u].end(), n) != 0) walk(u, length + 1);
    };
    static_cast<void>(flow);
    for (const node_id n : s.entries()) walk(n, 1);
    return longest;
}

/// x -> E2 -> E3 -> E5, E2 -> E4 -> E5, E3 also leaves; reads a scalar and a constant.
struct diamond {
    lettered_graph g;
    node_id x = g.add("x"), scalar = g.add("s"), constant = g.add("c");
    node_id top = g.add("E", {x, scalar});
    node_id left = g.add("B", {top}), right = g.add("A", {top, constant});
    node_id low = g.add("E", {left, right});
    node_id end = g.add("O", {low, left});
    dataflow flow = flow_of(g);
};

}  // namespace

TEST_CASE(
    "entries read what is not inlined from outside, exits are read outside or leave, inputs and outputs are those outside "
    "[candidate.subgraph.border]") {
    const diamond d;
    const subgraph s(d.flow, {d.top, d.left, d.low});
    CHECK(s.entries() == node_set{d.top, d.low});
    CHECK(s.exits() == node_set{d.top, d.left, d.low});
    CHECK(s.inputs() == node_set{d.x, d.right});  // the scalar is inlined
    CHECK(s.outputs() == node_set{d.right, d.end});
    const subgraph last(d.flow, {d.end});
    CHECK(last.exits() == node_set{d.end});  // it leaves the graph
    CHECK(last.outputs().empty());
    CHECK(subgraph(d.flow, {d.right}).inputs() == node_set{d.top, d.constant});
}

TEST_CASE("a tap is an exit that is read inside as well [candidate.subgraph.tap]") {
    const diamond d;
    CHECK(subgraph(d.flow, {d.top, d.left, d.low}).taps() == node_set{d.top, d.left});
    CHECK(subgraph(d.flow, {d.top, d.left, d.right, d.low}).taps() == node_set{d.left});
    CHECK(subgraph(d.flow, {d.top, d.left, d.right, d.low, d.end}).taps().empty());
}

TEST_CASE("the depth is the longest path inside from an entry to an exit, and 0 without an entry [candidate.subgraph.depth]") {
    const diamond d;
    CHECK(subgraph(d.flow, {d.top}).depth() == 1);
    CHECK(subgraph(d.flow, {d.top, d.left, d.right, d.low}).depth() == 3);
    CHECK(subgraph(d.flow, {d.left, d.right}).depth() == 1);
    CHECK(subgraph(d.flow, {d.top, d.low}).depth() == 1);
    CHECK(subgraph(d.flow, {d.constant}).depth() == 0);
    lettered_graph g;
    const node_id s = g.add("s"), a = g.add("E", {s}), b = g.add("E", {a});
    CHECK(subgraph(flow_of(g), {a, b}).depth() == 0);
}

TEST_CASE("the kind of a subgraph is the greatest of its nodes' [candidate.kind.of-set]") {
    const diamond d;
    CHECK(subgraph(d.flow, {d.top}).kind() == op_kind::elementwise);
    CHECK(subgraph(d.flow, {d.top, d.left}).kind() == op_kind::broadcast);
    CHECK(subgraph(d.flow, {d.top, d.right}).kind() == op_kind::anchor);
    CHECK(subgraph(d.flow, {d.low, d.end}).kind() == op_kind::opaque);
    CHECK(subgraph(d.flow, {}).kind() == op_kind::elementwise);
}

TEST_CASE("subgraphs are equal where nodes and what is named among them are equal, names included [candidate.subgraph.equality]") {
    const diamond d;
    const subgraph plain(d.flow, {d.top, d.left}), same(d.flow, {d.left, d.top});
    const subgraph one = named(d.flow, plain, nested_part::role::composite, "one"),
                   other = named(d.flow, plain, nested_part::role::composite, "other"),
                   primitive = named(d.flow, plain, nested_part::role::primitive, "one");
    CHECK(plain == same);
    CHECK_FALSE(plain == one);
    CHECK_FALSE(one == other);
    CHECK_FALSE(one == primitive);
    CHECK(one == named(d.flow, same, nested_part::role::composite, "one"));
    // The order agrees with it.
    for (const subgraph* a : {&plain, &one, &other, &primitive})
        for (const subgraph* b : {&plain, &one, &other, &primitive}) CHECK(int(*a < *b) + int(*b < *a) + int(*a == *b) == 1);
}

TEST_CASE("subgraphs are ordered by their nodes, then by what is named [candidate.subgraph.order]") {
    const diamond d;
    CHECK(subgraph(d.flow, {d.top}) < subgraph(d.flow, {d.left}));
    CHECK(subgraph(d.flow, {d.top, d.left}) < subgraph(d.flow, {d.top}));
    CHECK(subgraph(d.flow, {d.top}) < named(d.flow, subgraph(d.flow, {d.top}), nested_part::role::composite, "one"));
}

TEST_CASE("two touch where one reads from the other and no path between them goes round through others [candidate.subgraph.touching]") {
    const diamond d;
    const subgraph top(d.flow, {d.top}), left(d.flow, {d.left}), low(d.flow, {d.low}), end(d.flow, {d.end}),
        sides(d.flow, {d.left, d.right});
    CHECK(touching(d.flow, top, left));
    CHECK_FALSE(touching(d.flow, left, top));  // the other way round
    CHECK(touching(d.flow, top, sides));
    CHECK_FALSE(touching(d.flow, left, end));  // the path through low
    CHECK_FALSE(touching(d.flow, left, subgraph(d.flow, {d.right})));
    CHECK_FALSE(touching(d.flow, subgraph(d.flow, {d.top, d.left}), left));  // they overlap
    // Read from each other: b reads a, a reads b.
    const subgraph outer(d.flow, {d.top, d.low});
    CHECK(touching(d.flow, outer, sides));
    CHECK(touching(d.flow, sides, outer));
}

TEST_CASE("two are self-contained where nothing else reads the one or feeds the other [candidate.subgraph.self-contained]") {
    const diamond d;
    CHECK(self_contained(subgraph(d.flow, {d.top}), subgraph(d.flow, {d.left, d.right})) == false);  // the constant comes from elsewhere
    CHECK(self_contained(subgraph(d.flow, {d.left, d.right}), subgraph(d.flow, {d.low, d.end})));
    CHECK_FALSE(self_contained(subgraph(d.flow, {d.left, d.right}), subgraph(d.flow, {d.low})));
}

TEST_CASE("a union of disjoint subgraphs has the nodes and the names of both; overlapping ones are refused [candidate.subgraph.union]") {
    const diamond d;
    const subgraph top = named(d.flow, subgraph(d.flow, {d.top}), nested_part::role::composite, "a"),
                   left = named(d.flow, subgraph(d.flow, {d.left}), nested_part::role::composite, "a");
    const auto both = disjoint_union(d.flow, left, top);
    REQUIRE(both);
    CHECK(both->nodes() == node_set{d.top, d.left});
    CHECK(both->kind() == op_kind::broadcast);
    REQUIRE(both->nested().size() == 2);  // composites stay apart even with one name
    CHECK(both->nested()[0].nodes == node_set{d.top});
    CHECK(disjoint_union(d.flow, *both, left).failure().message ==
          "the subgraphs {3,4} and {4} have {4} in common; only disjoint ones are joined");
}

TEST_CASE(
    "primitive parts of one owner become one in a union, with what is named in them; those of several owners do not "
    "[candidate.subgraph.primitive-union]") {
    const diamond d;
    const auto primitive = [&](node_id n, const char* composite, const char* owner) {
        return named(d.flow, named(d.flow, subgraph(d.flow, {n}), nested_part::role::composite, composite), nested_part::role::primitive,
                     owner);
    };
    const auto same = disjoint_union(d.flow, primitive(d.top, "a", "dnn"), primitive(d.left, "b", "dnn"));
    REQUIRE(same);
    REQUIRE(same->nested().size() == 1);
    CHECK(same->nested()[0].nodes == node_set{d.top, d.left});
    REQUIRE(same->nested()[0].inside.size() == 2);
    CHECK(same->nested()[0].inside[1].name == "b");
    const auto other = disjoint_union(d.flow, primitive(d.top, "a", "dnn"), primitive(d.left, "b", "rt"));
    REQUIRE(other);
    CHECK(other->nested().size() == 2);
}

TEST_CASE("over random sets, the border and the depth are what their definitions say [candidate.subgraph.depth]") {
    CHECK(rc::check("depth and border by definition", [] {
        const lettered_graph g = random_lettered(*rc::gen::arbitrary<std::uint32_t>(), 14);
        std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
        const dataflow flow = flow_of(g);
        const subgraph s(flow, node_set(random_set(g, random)));
        RC_ASSERT(s.depth() == depth_by_walking(g, flow, s));
        const std::vector<node_id> results = g.results();
        for (node_id n = 0; n < g.size(); ++n) {
            const bool inside = s.nodes().has(n);
            bool from_outside = false, from_inside = false, to_outside = std::count(results.begin(), results.end(), n) != 0,
                 to_inside = false;
            for (const node_id o : g.reads[n]) (s.nodes().has(o) ? from_inside : from_outside) = true;
            for (node_id u = 0; u < g.size(); ++u)
                if (std::count(g.reads[u].begin(), g.reads[u].end(), n) != 0) (s.nodes().has(u) ? to_inside : to_outside) = true;
            RC_ASSERT(s.entries().has(n) == (inside && from_outside));
            RC_ASSERT(s.exits().has(n) == (inside && to_outside));
            RC_ASSERT(s.taps().has(n) == (inside && to_outside && to_inside));
            RC_ASSERT(s.inputs().has(n) == (!inside && to_inside));
            RC_ASSERT(s.outputs().has(n) == (!inside && from_inside));
        }
    }));
}

TEST_CASE(
    "over random convex sets, two touch where one reads the other, they are disjoint and their union is convex "
    "[candidate.subgraph.touching]") {
    std::size_t touched = 0;
    CHECK(rc::check("touching by definition", [&touched] {
        const lettered_graph g = random_lettered(*rc::gen::arbitrary<std::uint32_t>(), 10);
        std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
        const dataflow flow = flow_of(g);
        for (int k = 0; k < 40; ++k) {
            const node_set a(random_set(g, random)), b = node_set(random_set(g, random)) - a;
            if (!is_convex(flow, flow.users(), a) || !is_convex(flow, flow.users(), b)) continue;
            bool reads = false;
            for (const node_id n : b)
                for (const node_id o : g.reads[n]) reads = reads || a.has(o);
            const bool expected = reads && is_convex(flow, flow.users(), a | b);
            RC_ASSERT(touching(flow, subgraph(flow, a), subgraph(flow, b)) == expected);
            touched += expected ? 1 : 0;
        }
    }));
    CHECK(touched > 50);
}
