// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/declared_attribute.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("an attribute is found in a table by its name, and its form has words") {
    static constexpr declared_attribute rows[] = {{.name = "axis", .text = {}, .integers = {}},
                                                  {.name = "beta", .form = attribute_form::number, .text = {}, .integers = {}}};
    CHECK(find_attribute(rows, "beta") == &rows[1]);
    CHECK(find_attribute(rows, "gamma") == nullptr);
    CHECK(find_attribute({}, "axis") == nullptr);
    CHECK(to_text(attribute_form::integer) == "an integer");
    CHECK(to_text(attribute_form::graph) == "a graph");
}
