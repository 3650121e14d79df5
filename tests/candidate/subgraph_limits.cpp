// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/subgraph_limits.hpp>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "lettered_graph.hpp"

using namespace inlay;

namespace {

/// x -> E1 -> E2 -> E4, E1 -> E3 -> E4, E4 -> E5.
struct diamond {
    lettered_graph g;
    node_id x = g.add("x"), top = g.add("E", {x}), left = g.add("E", {top}), right = g.add("E", {top}), low = g.add("E", {left, right});
    node_id end = g.add("E", {low});
    dataflow flow = flow_of(g);

    [[nodiscard]] validity check(const node_set& nodes, const subgraph_limits& most = {}) const {
        return validity_of(flow, subgraph(flow, nodes), most);
    }
};

constexpr subgraph_limits anything{0, true, 0};

}  // namespace

TEST_CASE("more exits than allowed, and 0 for any number [candidate.limits.exits]") {
    const diamond d;
    CHECK(d.check({d.left, d.right}));
    CHECK(d.check({d.left, d.right}, {2, false, 0}));
    const validity v = d.check({d.left, d.right}, {1, false, 0});
    CHECK(v.fault == subgraph_fault::too_many_exits);
    CHECK(v.reason == "{2,3} has the exits {2,3}, more than the 1 allowed; take fewer nodes or allow more exits");
}

TEST_CASE("deeper than allowed, and 0 for any depth [candidate.limits.depth]") {
    const diamond d;
    const node_set whole{d.top, d.left, d.right, d.low};
    CHECK(d.check(whole));
    CHECK(d.check(whole, {0, false, 3}));
    const validity v = d.check(whole, {0, false, 2});
    CHECK(v.fault == subgraph_fault::too_deep);
    CHECK(v.reason == "{1..4} is 3 nodes deep, more than the 2 allowed; take fewer nodes or allow more depth");
}

TEST_CASE("nodes of several blocks, the outermost one among them [candidate.limits.one-block]") {
    lettered_graph g;
    const node_id x = g.add("x"), out = g.add("E", {x}, 0), in = g.add("E", {out}, 1), also = g.add("E", {in}, 1),
                  other = g.add("E", {also}, 2);
    const dataflow flow = flow_of(g);
    CHECK(validity_of(flow, subgraph(flow, {in, also}), anything));
    const validity v = validity_of(flow, subgraph(flow, {out, in}), anything);
    CHECK(v.fault == subgraph_fault::crosses_blocks);
    CHECK(v.reason == "nodes 1 and 2 stand in different blocks; a subgraph lies in one");
    CHECK(validity_of(flow, subgraph(flow, {also, other}), anything).fault == subgraph_fault::crosses_blocks);
}

TEST_CASE("nested parts side by side that share a node, whichever two they are [candidate.limits.nested-overlap]") {
    const diamond d;
    const auto part = [](const char* name, node_set nodes) {
        return nested_part{nested_part::role::composite, name, std::move(nodes), {}};
    };
    const node_set whole{d.top, d.left, d.right, d.low};
    const subgraph good(d.flow, whole, {part("a", {d.top, d.left}), part("b", {d.right}), part("c", {d.low})});
    CHECK(validity_of(d.flow, good, anything));
    const subgraph bad(d.flow, whole, {part("a", {d.top, d.left}), part("b", {d.right}), part("c", {d.left, d.low})});
    const validity v = validity_of(d.flow, bad, anything);
    CHECK(v.fault == subgraph_fault::nested_overlap);
    CHECK(v.reason == "the nested parts 'a' and 'c' both have {2}; parts side by side share no node");
    const subgraph last_two(d.flow, whole, {part("a", {d.top}), part("b", {d.left, d.right}), part("c", {d.right, d.low})});
    CHECK(validity_of(d.flow, last_two, anything).reason == "the nested parts 'b' and 'c' both have {3}; parts side by side share no node");
    // Within a nested part as well.
    nested_part outer = part("outer", whole);
    outer.inside = {part("a", {d.top, d.left}), part("b", {d.left})};
    CHECK(validity_of(d.flow, subgraph(d.flow, whole, {outer}), anything).fault == subgraph_fault::nested_overlap);
    outer.inside = {part("a", {d.top, d.left}), part("b", {d.right})};
    CHECK(validity_of(d.flow, subgraph(d.flow, whole, {outer}), anything));
}

TEST_CASE("a nested part with a node outside what it is nested in [candidate.limits.nested-outside]") {
    const diamond d;
    const subgraph bad(d.flow, {d.top, d.left}, {{nested_part::role::composite, "a", {d.left, d.right}, {}}});
    const validity v = validity_of(d.flow, bad, anything);
    CHECK(v.fault == subgraph_fault::nested_outside);
    CHECK(v.reason == "part 'a' has {3} outside {1,2}, in which it is nested; nest a part within its subgraph");
}

TEST_CASE("a tap where none is allowed [candidate.limits.taps]") {
    const diamond d;
    const node_set with_tap{d.top, d.left};
    CHECK(d.check(with_tap, anything));
    const validity v = d.check(with_tap);
    CHECK(v.fault == subgraph_fault::tap);
    CHECK(v.reason == "the values of {1} are read inside {1,2} and outside; allow taps or leave their readers out");
}

TEST_CASE("a path that leaves and comes back [candidate.limits.convex]") {
    const diamond d;
    const validity v = d.check({d.top, d.left, d.low}, anything);
    CHECK(v.fault == subgraph_fault::not_convex);
    CHECK(v.reason == "a path leaves {1,2,4} at node 3 and comes back; take what lies between as well");
}

TEST_CASE("no nodes [candidate.limits.empty]") {
    const diamond d;
    const validity v = d.check({});
    CHECK(v.fault == subgraph_fault::empty);
    CHECK_FALSE(v.reason.empty());
}

TEST_CASE("over random sets, validity with taps allowed is convexity by definition [candidate.limits.convex]") {
    CHECK(rc::check("convexity by definition", [] {
        const lettered_graph g = random_lettered(*rc::gen::arbitrary<std::uint32_t>(), 12);
        std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
        const dataflow flow = flow_of(g);
        const auto reaches = reach(g);
        for (int k = 0; k < 10; ++k) {
            const node_set s(random_set(g, random));
            if (s.empty()) continue;
            bool convex = true;
            for (const node_id a : s)
                for (const node_id b : s)
                    for (node_id n = 0; n < g.size(); ++n) convex = convex && (s.has(n) || !reaches[a][n] || !reaches[n][b]);
            const validity v = validity_of(flow, subgraph(flow, s), anything);
            RC_ASSERT(static_cast<bool>(v) == convex);
            RC_ASSERT(v.reason.empty() == convex);
        }
    }));
}
