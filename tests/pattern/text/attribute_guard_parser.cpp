// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/text/attribute_guard_parser.hpp>

#include <doctest/doctest.h>

using namespace inlay;
using form = attribute_guard::form;

TEST_CASE("guards of all forms are read in order, and the cursor stands behind the bracket") {
    text_cursor c("[a=2, b=0.5, c=\"SAME\", d=[1,2], e=[1,2.5], f=[\"x\"], g, !h, i=[]] rest", "text");
    attribute_guard_parser parser(c, false);
    const auto guards = parser.read();
    REQUIRE(guards);
    std::string kinds, names;
    for (const attribute_guard& g : *guards) {
        kinds += std::to_string(static_cast<int>(g.kind)) + ' ';
        names += g.name;
    }
    CHECK(names == "abcdefghi");
    std::string expected;
    for (const form f :
         {form::integer, form::number, form::text, form::integers, form::numbers, form::texts, form::present, form::absent, form::integers})
        expected += std::to_string(static_cast<int>(f)) + ' ';
    CHECK(kinds == expected);
    CHECK((*guards)[0].integers[0] == 2);
    CHECK((*guards)[4].numbers[1] == 2.5);
    CHECK((*guards)[5].texts[0] == "x");
    CHECK(c.take("rest"));
}

TEST_CASE("what is wrong is one sentence") {
    const auto told = [](std::string_view text) {
        text_cursor c(text, "text");
        attribute_guard_parser parser(c, false);
        return parser.read().failure().message;
    };
    CHECK(told("[a=[1,\"x\"]]").find("a list holds numbers or texts, not both") != std::string::npos);
    CHECK(told("[a=b]").find("expected the value of an attribute") != std::string::npos);
    CHECK(told("[a").find("expected ',' or ']'") != std::string::npos);
    CHECK(told("[?x]").find("on the right side of a rule") != std::string::npos);
}

TEST_CASE("on the right side of a rule attributes of a node are copied") {
    text_cursor c("[?x, a=1]", "text");
    attribute_guard_parser parser(c, true);
    const auto guards = parser.read();
    REQUIRE(guards);
    CHECK((*guards)[0].kind == form::like);
    CHECK((*guards)[0].name == "x");
}
