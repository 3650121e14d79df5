// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/data_type.hpp>

#include <doctest/doctest.h>

using inlay::data_type;
using inlay::node_type;

TEST_CASE("data types are equal by all that defines them") {
    const data_type one{"Box", {"A"}, {{"Full", {node_type::variable("A")}}, {"Empty", {}}}, false};
    data_type other = one;
    CHECK(one == other);
    other.constructors[0].fields[0] = node_type::variable("B");
    CHECK(one != other);
    other = one;
    other.external = true;
    CHECK(one != other);
}
