// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/text/pattern_words.hpp>

#include <limits>
#include <string>

#include <doctest/doctest.h>

using namespace inlay::detail;
using inlay::node_kind;

TEST_CASE("each kind of node with a word has one, and reads back") {
    for (const auto& [word, kind] : node_words) {
        CHECK(word_of(kind) == word);
        CHECK(node_kind_named(word) == kind);
        CHECK(is_reserved(word));
    }
    CHECK(word_of(node_kind::call).empty());
    CHECK_FALSE(node_kind_named("relu").has_value());
}

TEST_CASE("names stand without quotes where they are plain and mean nothing else") {
    for (const char* plain : {"x", "_x", "Conv2d", "a_1"}) {
        CHECK(is_plain_name(plain));
        CHECK(is_plain_operator(plain));
    }
    for (const char* not_plain : {"", "1a", "a b", "a-b", "\xC3\xA9"}) CHECK_FALSE(is_plain_name(not_plain));
    CHECK_FALSE(is_plain_name("nn.conv2d"));
    CHECK(is_plain_operator("nn.conv2d"));
    for (const char* not_plain : {".a", "a.", "a..b", "a.1", "const", "_", "if", "repeat", "nan"})
        CHECK_FALSE(is_plain_operator(not_plain));
}

TEST_CASE("numbers read back, and real ones are told from whole ones") {
    CHECK(number_text(2, false) == "2");
    CHECK(number_text(2, true) == "2.0");
    CHECK(number_text(0.1, false) == "0.1");
    CHECK(number_text(1e300, true) == "1e+300");
    CHECK(number_text(-0.0, false) == "-0");
    CHECK(number_text(std::numeric_limits<double>::infinity(), true) == "inf");
    CHECK(number_text(-std::numeric_limits<double>::infinity(), false) == "-inf");
    CHECK(number_text(std::numeric_limits<double>::quiet_NaN(), true) == "nan");
}

TEST_CASE("quotes keep every byte, and leave nothing in the text that is no UTF-8") {
    CHECK(in_quotes("a b") == "\"a b\"");
    CHECK(name_text("a b") == in_quotes("a b"));
    CHECK(name_text("ab") == "ab");
    CHECK(in_quotes("\"\\") == "\"\\\"\\\\\"");
    CHECK(in_quotes(std::string_view("\0\n\x7F", 3)) == "\"\\x00\\x0a\\x7f\"");
    CHECK(in_quotes("\xC3\xA9") == "\"\xC3\xA9\"");
    CHECK(in_quotes("\xC3") == "\"\\xc3\"");
    CHECK(in_quotes("\xFF\xA9z") == "\"\\xff\\xa9z\"");
}

TEST_CASE("a character of UTF-8 is known by its bytes") {
    CHECK(character_length("a", 0) == 1);
    CHECK(character_length("\xC3\xA9", 0) == 2);
    CHECK(character_length("\xE2\x82\xAC", 0) == 3);
    CHECK(character_length("\xF0\x9F\x98\x80", 0) == 4);
    for (const char* none :
         {"\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\x80", "\xE2\x82z"})
        CHECK(character_length(none, 0) == 0);
}
