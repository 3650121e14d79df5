// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/node_letters.hpp>

#include <doctest/doctest.h>

#include <inlay/pattern/call_on.hpp>
#include <inlay/pattern/dsl.hpp>
#include <inlay/pattern/dsl_guard.hpp>
#include <inlay/pattern/dsl_node.hpp>
#include <inlay/pattern/static_sub_patterns.hpp>

namespace d = inlay::dsl;
using inlay::live_sub_patterns;
using inlay::node_kind;
using inlay::node_letters;

namespace {

const inlay::node_letter& letter(node_letters& letters, live_sub_patterns& set, node_kind kind, std::string_view op, std::uint32_t arity) {
    return letters[letters.letter_of(set, letters.head_of(set, set.operator_of(kind, op), arity), {})];
}

}  // namespace

TEST_CASE("places at which nobody asks for operands have no segment, and places with one question share a projection") {
    live_sub_patterns set(inlay::sub_patterns_of(d::op<"f">(d::any, d::op<"g">, d::any, d::op<"g">), d::commutative<"h">(d::op<"g">, d::op<"f">)));
    node_letters letters;
    const inlay::node_letter& f = letter(letters, set, node_kind::call, "f", 4);
    REQUIRE(f.segments.size() == 2);
    CHECK(f.segments[0].from == 1);
    CHECK(f.segments[1].from == 3);
    CHECK(f.segments[0].projection == f.segments[1].projection);
    CHECK(letters.projected(f.segments[0].projection).size() == 1);
    const inlay::node_letter& h = letter(letters, set, node_kind::call, "h", 2);
    REQUIRE(h.segments.size() == 2);
    CHECK(letters.projected(h.segments[0].projection).size() == 2);
    CHECK(letter(letters, set, node_kind::call, "g", 3).sure.size() == 1);
    CHECK(letter(letters, set, node_kind::call, "f", 3).waiting.empty());
    CHECK(letters.size() == 4);
    CHECK(letters.projections() == 2);
    letters.clear();
    CHECK(letters.size() + letters.projections() == 0);
}

TEST_CASE("an unordered node that looks at all operands has one long segment; what stands behind parameters is counted from the end") {
    live_sub_patterns set(inlay::sub_patterns_of(d::call_on<100, "f">(d::op<"g">), d::any_function(d::op<"f">)));
    node_letters letters;
    const inlay::node_letter& f = letter(letters, set, node_kind::call, "f", 50);
    REQUIRE(f.segments.size() == 1);
    CHECK(f.segments[0].is_long());
    const inlay::node_letter& function = letter(letters, set, node_kind::function, "", 4);
    REQUIRE(function.segments.size() == 1);
    CHECK(function.segments[0].from_end);
    CHECK(function.segments[0].from == 1);
}

TEST_CASE("only guards that may decide matter at a head, and letters tell which of them hold") {
    live_sub_patterns set(inlay::sub_patterns_of(d::attribute<"axis", 1>(d::op<"f">(d::any)), d::op<"g">(d::any)));
    node_letters letters;
    const std::uint32_t f = letters.head_of(set, set.operator_of(node_kind::call, "f"), 1), g = letters.head_of(set, set.operator_of(node_kind::call, "g"), 1);
    REQUIRE(letters.guards_of(f).size() == 1);
    CHECK(letters.guards_of(g).empty());
    CHECK(letters.letter_of(set, f, {}) != letters.letter_of(set, f, letters.guards_of(f)));
    CHECK(letters.letter_of(set, f, {}) == letters.letter_of(set, f, {}));
}
