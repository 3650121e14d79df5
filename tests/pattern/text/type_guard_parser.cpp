// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/text/type_guard_parser.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("types of tensors and tuples are read with their extents") {
    text_cursor c("(float32[1,n,?,*], ?, tensor, ...)}", "text");
    type_guard_parser parser(c, 10);
    const auto t = parser.read();
    REQUIRE(t);
    CHECK(t->kind == type_guard::form::tuple);
    CHECK(t->open);
    REQUIRE(t->fields.size() == 3);
    const type_guard& first = t->fields[0];
    CHECK(first.element == element_type::float32);
    CHECK(first.shaped);
    CHECK(first.open);
    REQUIRE(first.extents.size() == 3);
    CHECK(first.extents[0].size == 1);
    CHECK(first.extents[1].symbol == "n");
    CHECK(t->fields[2].kind == type_guard::form::tensor);
    CHECK_FALSE(t->fields[2].shaped);
    CHECK(c.take("}"));
}

TEST_CASE("what is wrong is one sentence, too deep a nesting as well") {
    const auto told = [](std::string_view text, std::size_t most_depth = 10) {
        text_cursor c(text, "text");
        type_guard_parser parser(c, most_depth);
        return parser.read().failure().message;
    };
    CHECK(told("float33[1]").find("there is no element type 'float33'") != std::string::npos);
    CHECK(told("float32[x y]").find("expected ',' or ']' in a shape") != std::string::npos);
    CHECK(told("((((?))))", 4).find("nested more than 4 deep") != std::string::npos);
    CHECK(told("!").find("expected a type") != std::string::npos);
}
