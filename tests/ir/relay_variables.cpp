// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/relay_variables.hpp>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

TEST_CASE("variables keep their names, and get numbers while others of that name can be used") {
    ir_builder b;
    const node_id x = b.input("x", {}), hidden = b.input("x", {}), taken = b.input("x_1", {}), again = b.input("x", {});
    const node_id odd = b.input("a.b c", {}), number = b.input("0", {}), nameless = b.input({}, {});
    relay_variables names(b.so_far());
    CHECK(names.bind(x) == "x");
    CHECK(names.bind(hidden) == "x_1");
    CHECK(names.bind(taken) == "x_1_1");
    CHECK(names.count() == 3);
    names.leave(1);
    CHECK(names.bind(taken) == "x_1");
    CHECK(names.bind(again) == "x_2");
    CHECK(names.name(x) == "x");
    CHECK(names.name(odd) == "a_b_c");
    CHECK(names.name(number) == "v05");
    CHECK(names.bind(nameless) == "v6");
    names.leave_all();
    CHECK(names.count() == 0);
    CHECK(names.bind(hidden) == "x");
}
