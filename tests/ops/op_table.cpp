// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/op_table.hpp>

#include <doctest/doctest.h>

using namespace inlay;

struct odd {
    static constexpr op_definition table[] = {{"z.Five"}, {"a.One"}, {"m.Three"}};
};
struct even {
    static constexpr op_definition table[] = {{"m.Two", op_kind::anchor}};
};
static_assert(op_set<op_table<odd, even>> && op_set<op_table<>>);

TEST_CASE("Families are merged, in whatever order they stand") {
    using ops = op_table<odd, even>;
    for (const char* name : {"z.Five", "a.One", "m.Three", "m.Two"}) {
        REQUIRE(ops::find(name) != nullptr);
        CHECK(ops::find(name)->name == name);
    }
    CHECK(ops::find("m.Two")->kind == op_kind::anchor);
    for (const char* name : {"", "a", "m.Twoo", "zz"}) CHECK(ops::find(name) == nullptr);
    CHECK(op_table<odd>::find("m.Two") == nullptr);
}
