// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/automaton/node_symbols.hpp>

#include <doctest/doctest.h>

#include <inlay/pattern/automaton/static_sub_patterns.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>

namespace d = inlay::dsl;
using inlay::live_sub_patterns;
using inlay::node_kind;
using inlay::node_symbols;

namespace {

const inlay::node_symbol& symbol(node_symbols& symbols, live_sub_patterns& set, node_kind kind, std::string_view op, std::uint32_t arity) {
    return symbols[symbols.symbol_of(set, symbols.head_of(set, set.operator_of(kind, op), arity), {})];
}

}  // namespace

TEST_CASE("places at which nobody asks for operands have no segment, and places with one question share a projection") {
    live_sub_patterns set(
        inlay::sub_patterns_of(d::op<"f">(d::any, d::op<"g">, d::any, d::op<"g">), d::commutative<"h">(d::op<"g">, d::op<"f">)));
    node_symbols symbols;
    const inlay::node_symbol& f = symbol(symbols, set, node_kind::call, "f", 4);
    REQUIRE(f.segments.size() == 2);
    CHECK(f.segments[0].from == 1);
    CHECK(f.segments[1].from == 3);
    CHECK(f.segments[0].projection == f.segments[1].projection);
    CHECK(symbols.projected(f.segments[0].projection).size() == 1);
    const inlay::node_symbol& h = symbol(symbols, set, node_kind::call, "h", 2);
    REQUIRE(h.segments.size() == 2);
    CHECK(symbols.projected(h.segments[0].projection).size() == 2);
    CHECK(symbol(symbols, set, node_kind::call, "g", 3).sure.size() == 1);
    CHECK(symbol(symbols, set, node_kind::call, "f", 3).waiting.empty());
    CHECK(symbols.size() == 4);
    CHECK(symbols.projections() == 2);
    symbols.clear();
    CHECK(symbols.size() + symbols.projections() == 0);
}

TEST_CASE("an unordered node that looks at all operands has one long segment; what stands behind parameters is counted from the end") {
    live_sub_patterns set(inlay::sub_patterns_of(d::call_on<100, "f">(d::op<"g">), d::any_function(d::op<"f">)));
    node_symbols symbols;
    const inlay::node_symbol& f = symbol(symbols, set, node_kind::call, "f", 50);
    REQUIRE(f.segments.size() == 1);
    CHECK(f.segments[0].is_long());
    const inlay::node_symbol& function = symbol(symbols, set, node_kind::function, "", 4);
    REQUIRE(function.segments.size() == 1);
    CHECK(function.segments[0].from_end);
    CHECK(function.segments[0].from == 1);
}

TEST_CASE("only guards that may decide matter at a head, and symbols tell which of them hold") {
    live_sub_patterns set(inlay::sub_patterns_of(d::attribute<"axis", 1>(d::op<"f">(d::any)), d::op<"g">(d::any)));
    node_symbols symbols;
    const std::uint32_t f = symbols.head_of(set, set.operator_of(node_kind::call, "f"), 1),
                        g = symbols.head_of(set, set.operator_of(node_kind::call, "g"), 1);
    REQUIRE(symbols.guards_of(f).size() == 1);
    CHECK(symbols.guards_of(g).empty());
    CHECK(symbols.symbol_of(set, f, {}) != symbols.symbol_of(set, f, symbols.guards_of(f)));
    CHECK(symbols.symbol_of(set, f, {}) == symbols.symbol_of(set, f, {}));
}
