// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/match_pattern.hpp>

#include <string>

#include <doctest/doctest.h>

using inlay::read_match_pattern;

TEST_CASE("a match's pattern reads back as it prints") {
    for (const std::string text :
         {"_", "%", "Nil", "Cons(%, _)", "Cons(Cons(%, _), (%, %))", "()", "(%)", "Pair((), A(B(C)))", "A(B(%), C(_), %)"}) {
        CAPTURE(text);
        const auto p = read_match_pattern(text);
        REQUIRE(p);
        CHECK(to_string(*p) == text);
    }
    CHECK(read_match_pattern("Cons( % ,Cons(%,_) )")->variables() == 2);
    CHECK(pattern_text(*read_match_pattern("Cons(%, (%, _))"), [](std::size_t i) { return "%v" + std::to_string(i); }) ==
          "Cons(%v0, (%v1, _))");
}

TEST_CASE("what is no pattern is told with its place") {
    CHECK(read_match_pattern("Cons(%").failure().message == "the pattern 'Cons(%' has its end where a comma or a bracket was expected");
    CHECK(read_match_pattern("").failure().message == "the pattern '' has its end where a pattern was expected");
    CHECK(read_match_pattern("A)").failure().message == "the pattern 'A)' has ')' where the end of the pattern was expected");
    CHECK(read_match_pattern("A(%,)").failure().message == "the pattern 'A(%,)' has ')' where a pattern was expected");
}

TEST_CASE("patterns nested a hundred thousand deep read and print") {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += "S(";
    text += '%';
    text += std::string(100'000, ')');
    const auto p = read_match_pattern(text);
    REQUIRE(p);
    CHECK(p->parts.size() == 100'001);
    CHECK(to_string(*p) == text);
}
