// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/placement/domain_table.hpp>

#include <doctest/doctest.h>

using inlay::node_type;

TEST_CASE("a function has a variable for each parameter and its result, all others have one [placement.domain.flat]") {
    const node_type one = inlay::tensor_type(inlay::element_type::float32, {});
    const node_type f = node_type::function({one, node_type::function({one}, one)}, node_type::function({one}, one));
    CHECK(inlay::domain_width(one) == 1);
    CHECK(inlay::domain_width(node_type::tuple({f, f})) == 1);
    CHECK(inlay::domain_width(f) == 5);
    inlay::domain_table table;
    table.add(1);
    table.add(5);
    table.add(2, 2);
    CHECK(table.of(1).begin == 1);
    CHECK(table.of(1).last() == 5);
    CHECK(table.out_of(2).begin == 8);
    CHECK(table.variables() == 10);
    CHECK(field_of(table.of(1), f, 0).begin == 1);
    CHECK(field_of(table.of(1), f, 1).begin == 2);
    CHECK(field_of(table.of(1), f, 1).width == 2);
    CHECK(field_of(table.of(1), f, 2).last() == 5);
}
