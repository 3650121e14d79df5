// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/automaton/node_states.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/pattern/automaton/static_sub_patterns.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/dsl/dsl_guard.hpp>

namespace d = inlay::dsl;
using inlay::node_kind;
using inlay::node_states;
using inlay::state_id;

namespace {

/// The state of a call over operands of these states, no guard holding.
state_id state_of(node_states& s, std::string_view op, const std::vector<state_id>& operands) {
    const auto arity = static_cast<std::uint32_t>(operands.size());
    const std::uint32_t symbol = s.symbol_of(s.head_of(s.set().operator_of(node_kind::call, op), arity), {});
    return s.fold(symbol, arity, [&](std::uint32_t projection, std::size_t i) { return s.class_of(projection, operands[i]); });
}

}  // namespace

TEST_CASE("states are told apart by what patterns and users ask for, and by no more") {
    node_states s(inlay::sub_patterns_of(d::op<"f">(d::op<"g">(d::any), d::any)));
    const state_id other = state_of(s, "x", {});
    CHECK(state_of(s, "y", {other, other}) == other);
    CHECK(state_of(s, "g", {}) == other);
    const state_id g = state_of(s, "g", {other});
    CHECK(g != other);
    CHECK(state_of(s, "g", {g}) == g);
    CHECK(state_of(s, "f", {other, g}) == other);
    const state_id f = state_of(s, "f", {g, other});
    CHECK(f != other);
    CHECK(s.accepted(f).size() == 1);
    CHECK(s.accepted(f)[0] == 1);  // pattern 0, for certain
    CHECK(s.accepted(g).empty());
}

TEST_CASE("numbers of operands count as far as patterns tell them apart") {
    node_states s(inlay::sub_patterns_of(d::op<"f">(d::input), d::op<"f">(d::input, d::any, d::rest)));
    const std::uint32_t f = s.set().operator_of(node_kind::call, "f"), other = s.set().operator_of(node_kind::call, "h");
    CHECK(s.head_of(f, 1) != s.head_of(f, 2));
    CHECK(s.head_of(f, 0) != s.head_of(f, 1));
    CHECK(s.head_of(f, 3) == s.head_of(f, 1000));
    CHECK(s.head_of(other, 0) == s.head_of(other, 5));
    CHECK(s.set().operator_of(node_kind::call, "i") == other);
    CHECK_FALSE(s.set().asks_name(node_kind::input));
    CHECK(s.set().operator_of(node_kind::input, "a") == s.set().operator_of(node_kind::input, "b"));
}

TEST_CASE("a guard matters at operators at which it may decide, and nowhere else") {
    node_states s(inlay::sub_patterns_of(d::op<"f">(d::attribute<"axis", 1>(d::op<"g">(d::any)))));
    CHECK(s.guards_of(s.head_of(s.set().operator_of(node_kind::call, "g"), 1)).size() == 1);
    CHECK(s.guards_of(s.head_of(s.set().operator_of(node_kind::call, "g"), 2)).empty());
    CHECK(s.guards_of(s.head_of(s.set().operator_of(node_kind::call, "f"), 1)).empty());
}

TEST_CASE("children of an unordered node each have an operand of their own") {
    node_states s(inlay::sub_patterns_of(d::commutative<"f">(d::op<"g">, d::op<"g"> | d::op<"h">)));
    const state_id g = state_of(s, "g", {}), h = state_of(s, "h", {}), x = state_of(s, "x", {});
    const auto accepted = [&](state_id a, state_id b) { return s.accepted(state_of(s, "f", {a, b})).size(); };
    CHECK(accepted(g, h) == 1);
    CHECK(accepted(h, g) == 1);
    CHECK(accepted(g, g) == 1);
    CHECK(accepted(h, h) == 0);
    CHECK(accepted(g, x) == 0);
}

TEST_CASE("a truncated pattern may match wherever its root's operator stands") {
    node_states s(inlay::sub_patterns_of(d::op<"f">(d::op<"g">(d::any)), d::op<"h">(d::op<"g">(d::any))));
    const state_id before = state_of(s, "f", {state_of(s, "g", {state_of(s, "x", {})})});
    CHECK(s.accepted(before).size() == 1);
    const std::uint32_t first[] = {0};
    s.truncate(first);
    const state_id x = state_of(s, "x", {}), f = state_of(s, "f", {x});
    REQUIRE(s.accepted(f).size() == 1);
    CHECK(s.accepted(f)[0] == 0);  // pattern 0, perhaps
    CHECK(s.accepted(state_of(s, "f", {x, x})).empty());
    CHECK(s.accepted(state_of(s, "h", {x})).empty());
    CHECK(s.accepted(state_of(s, "h", {state_of(s, "g", {x})}))[0] == 3);
    CHECK(s.accepted(before)[0] == 1);
}
