// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/placement/concepts.hpp>

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/placement/device_lattice.hpp>
#include <inlay/placement/device_plan.hpp>

#include "tree_graph.hpp"

static_assert(inlay::placed_graph<inlay::ir_module>);
static_assert(inlay::lattice<inlay::device_lattice>);
static_assert(!inlay::lattice<int>);

namespace {

using inlay::node_id;
using inlay::node_kind;
using inlay::node_type;
using rooms::tree_graph;

const node_type one = inlay::tensor_type(inlay::element_type::float32, {});

node_id input(tree_graph& g, rooms::address where = {}) { return g.add({node_kind::input, "", {}, one, where, {}, {}}); }
node_id call(tree_graph& g, const char* op, std::vector<node_id> operands) {
    return g.add({node_kind::call, op, std::move(operands), one, {}, {}, {}});
}

}  // namespace

TEST_CASE("the planner plans graphs and places of a user's own") {
    tree_graph g;
    // main(x, y) = let f = fn (a) { negative(a) }; add(on_device(f(x), house 3), y)
    const node_id x = input(g), y = input(g, {4, 0}), f = g.add({node_kind::input, "", {}, node_type::function({one}, one), {}, {}, {}});
    const node_id a = input(g), negative = call(g, "negative", {a});
    const node_id function = g.add({node_kind::function, "", {a, negative}, node_type::function({one}, one), {}, {}, {}});
    const node_id applied = g.add({node_kind::apply, "", {f, x}, one, {}, {}, {}});
    const node_id noted = g.add({node_kind::call, "on_device", {applied}, one, {3, 7}, {}, {}});
    const node_id sum = call(g, "add", {noted, y});
    const node_id let = g.add({node_kind::let, "", {f, function, sum}, one, {}, {}, {}});
    g.tops.push_back(g.add({node_kind::function, "main", {x, y, let}, node_type::function({one, one}, one), {}, {}, {}}));
    rooms::house_lattice l;
    const auto plan = inlay::device_plan<tree_graph, rooms::house_lattice>::of(g, l);
    REQUIRE(plan);
    const auto where = [&](node_id n) { return plan->element_of(plan->place_of(n)); };
    CHECK(where(x) == rooms::address{3, 7});
    CHECK(where(a) == rooms::address{3, 7});
    CHECK(where(y) == rooms::address{4, 1});
    CHECK(where(sum) == rooms::address{4, 1});
    CHECK(where(g.tops[0]) == rooms::address{4, 1});

    g.nodes[noted].attributes.set("constrain_result", std::int64_t{1});
    const auto clash = inlay::device_plan<tree_graph, rooms::house_lattice>::of(g, l);
    REQUIRE_FALSE(clash);
    CHECK(clash.failure().message.find("one value is to be on house ") == 0);
    CHECK(clash.failure().message.find("house 3, room 7") != std::string::npos);
    CHECK(clash.failure().message.find("house 4, room 0") != std::string::npos);
    g.nodes[y].where.house = 12;
    CHECK((inlay::device_plan<tree_graph, rooms::house_lattice>::of(g, l).failure().message) == "there is no house 12");
}
