// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/functions/primitive_callees.hpp>

#include <doctest/doctest.h>

#include "placement/planned.hpp"

using namespace inlay;

TEST_CASE("a primitive function is meant by itself, by its name, and by the variable of a let") {
    const ir_module m = planned::program(R"(
        def @k(%a: int64, Primitive=1) -> int64 { negative(%a) }
        def @plain(%a: int64) -> int64 { negative(%a) }
        def @main(%x: int64) -> int64 {
          let %f: fn (int64) -> int64 = fn (%a: int64, Primitive=1) -> int64 { add(%a, %a) };
          let %g: fn (int64) -> int64 = fn (%a: int64) -> int64 { add(%a, %a) };
          add(@k(%f(%x)), @plain(%g(%x))) })");
    const std::vector<node_id> callees = primitive_callees(m);
    std::size_t meant = 0, not_meant = 0;
    for (node_id n = 0; n < m.size(); ++n) {
        if (m.kind(n) != node_kind::apply) continue;
        const node_id f = callees[m.operand(n, 0)];
        ++(f == no_node ? not_meant : meant);
        if (f != no_node) CHECK(m.attributes(f).integer("Primitive", 0) == 1);
    }
    CHECK(meant == 2);
    CHECK(not_meant == 2);
}
