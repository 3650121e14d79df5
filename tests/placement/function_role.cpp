// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/placement/function_role.hpp>

#include <string>
#include <string_view>

#include "planned.hpp"

using inlay::function_role;

TEST_CASE("which functions planning looks into follows from their attributes") {
    const inlay::ir_module m = planned::program(R"(
        extern def @lowered(%a: float32) -> float32;
        def @theirs(%b: float32, Compiler="x") -> float32 { negative(%b) }
        def @skipped(%c: float32, SkipOptimization=1) -> float32 { negative(%c) }
        def @main(%x: float32) -> float32 { %0 = fn (%d: float32, Primitive=1) -> float32 { exp(%d) }; %1 = %0(%x); negative(%1) })");
    const auto roles = inlay::function_roles(m);
    const auto inside = inlay::inside_left_functions(m);
    for (inlay::node_id n = 0; n < m.size(); ++n) {
        const std::string_view name = m.symbol(n);
        if (m.kind(n) == inlay::node_kind::function) {
            CHECK(roles[n] == (name == "lowered"                       ? function_role::lowered
                               : name == "theirs" || name == "skipped" ? function_role::untouched
                               : name == "main"                        ? function_role::planned
                                                                       : function_role::primitive));
        } else {
            CHECK(roles[n] == function_role::planned);
        }
        if (m.op(n) == "exp" || m.name(n) == "b" || m.name(n) == "c" || m.name(n) == "d") CHECK(inside[n] != 0);
        if (m.op(n) == "apply" || m.name(n) == "x") CHECK(inside[n] == 0);
    }
}

TEST_CASE("functions that ask not to be changed are not, in the text either") {
    const std::string text = R"(def @skipped(%a: float32, SkipOptimization=1) -> float32 { let %v = negative(%a); %v }
        def @main(%x {virtual_device=[cpu]}: float32, virtual_device=[cpu]) -> float32 { @skipped(%x) })";
    planned::check_plan(text, text);
}
