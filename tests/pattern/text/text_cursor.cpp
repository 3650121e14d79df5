// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/text/text_cursor.hpp>

#include <string>

#include <doctest/doctest.h>

using inlay::text_cursor;

TEST_CASE("blanks, ends of lines and comments stand between words and mean nothing") {
    text_cursor c(" \t// nothing\r\n a //x\n", "text");
    CHECK(c.next() == 'a');
    CHECK(c.take("a"));
    CHECK(c.at_end());
    CHECK(c.next() == '\0');
    CHECK_FALSE(c.take("a"));
}

TEST_CASE("a word is taken whole or not") {
    text_cursor c("constant const", "text");
    CHECK_FALSE(c.take_word("const"));
    CHECK(c.take_name(false) == "constant");
    CHECK(c.take_word("const"));
    CHECK(c.at_end());
}

TEST_CASE("a name goes to where it cannot go on; with dots where another name follows") {
    text_cursor c("nn.conv2d.0 x...", "text");
    CHECK(c.take_name(true) == "nn.conv2d");
    CHECK(c.take("."));
    CHECK(c.take_name(false).empty());
    CHECK(c.take_number() == "0");
    CHECK(c.take_name(true) == "x");
    CHECK(c.looking_at("..."));
}

TEST_CASE("a number takes what belongs to one") {
    for (const std::string number : {"0", "12", "-3", "1.5", "1e9", "1.5e-07", "2E+3", "inf", "-inf", "nan"}) {
        const std::string text = number + " ,";
        text_cursor c(text, "text");
        CHECK(c.take_number() == number);
        CHECK(c.next() == ',');
    }
    text_cursor range("1..4 1.x 1ex -a", "text");
    CHECK(range.take_number() == "1");
    CHECK(range.take(".."));
    CHECK(range.take_number() == "4");
    CHECK(range.take_number() == "1");
    CHECK(range.take(".x"));
    CHECK(range.take_number() == "1");
    CHECK(range.take("ex"));
    CHECK(range.take_number().empty());
}

TEST_CASE("digits are taken without what would make them another number") {
    text_cursor c("0.1 -2", "text");
    CHECK(c.take_digits() == "0");
    CHECK(c.take("."));
    CHECK(c.take_digits() == "1");
    CHECK(c.take_digits().empty());
}

TEST_CASE("a text in quotes gives its bytes back; one that is not closed is told where it begins") {
    text_cursor c("\"a\\\"\\\\\\x00\\xff\" b", "text");
    const auto text = c.take_quoted();
    REQUIRE(text.has_value());
    CHECK(*text == std::string("a\"\\\0\xFF", 5));
    CHECK(c.next() == 'b');
    text_cursor open("x \"abc", "text");
    open.take("x");
    const auto none = open.take_quoted();
    REQUIRE_FALSE(none.has_value());
    CHECK(none.failure().message == "text, line 1, column 3: a quote is opened and never closed; close it with '\"'\n  x \"abc\n    ^");
    for (const char* wrong : {"\"\\n\"", "\"\\x1\"", "\"\\x1G\"", "\"\\"})
        CHECK_FALSE(text_cursor(wrong, "text").take_quoted().has_value());
}

TEST_CASE("an error has line, column and a caret under the place") {
    text_cursor c("f(\n  \xC3\xA9\tg,\n h)", "rule file r.txt");
    CHECK(c.fault("no", 9).message == "rule file r.txt, line 2, column 7: no\n    \xC3\xA9 g,\n       ^");
    CHECK(c.fault("no").message == "rule file r.txt, line 1, column 1: no\n  f(\n  ^");
    CHECK(c.expected("a pear").message == "rule file r.txt, line 1, column 1: expected a pear, found \"f\"\n  f(\n  ^");
    CHECK(text_cursor("", "text").expected("a pear").message ==
          "text, line 1, column 1: expected a pear, found the end of the text\n  \n  ^");
}

TEST_CASE("of a long line only what stands around the place is shown, and what is no character as a question mark") {
    const std::string text = std::string(100'000, 'a') + "!" + std::string(100'000, 'b');
    const std::string said = text_cursor(text, "text").fault("no", 100'000).message;
    CHECK(said.size() < 300);
    CHECK(said.find("column 100001") != std::string::npos);
    const std::size_t line = said.find("\n  ") + 3, caret = said.rfind('^') - (said.rfind('\n') + 3);
    CHECK(said[line + caret] == '!');
    CHECK(text_cursor("a\xFF\x01z", "text").fault("no", 3).message == "text, line 1, column 4: no\n  a? z\n     ^");
}
