// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_lexer.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

/// Kind and text of each token of a text; signs are their characters.
std::vector<std::pair<int, std::string>> tokens(std::string_view text) {
    std::vector<std::pair<int, std::string>> all;
    relay_lexer lexer(text);
    for (relay_token t = lexer.next(); t.what != relay_word::end; t = lexer.next()) {
        all.emplace_back(t.what, t.text);
        if (t.what == relay_word::wrong) break;
    }
    return all;
}
std::string fault(std::string_view text) {
    relay_lexer lexer(text);
    return lexer.next().what == relay_word::wrong ? lexer.fault() : "";
}
using list = std::vector<std::pair<int, std::string>>;

}  // namespace

TEST_CASE("a text is names, variables, numbers, texts and signs") {
    namespace w = relay_word;
    CHECK(tokens("add nn.conv2d _x") == list{{w::name, "add"}, {w::name, "nn.conv2d"}, {w::name, "_x"}});
    CHECK(tokens("%x.0 %12 @main @\"odd name\"") ==
          list{{w::local, "x"}, {'.', "."}, {w::number, "0"}, {w::shared, "12"}, {w::global, "main"}, {w::global, "odd name"}});
    CHECK(tokens("2 2f64 1.5e-05f 3i8 1.x") == list{{w::number, "2"},
                                                    {w::number, "2f64"},
                                                    {w::number, "1.5e-05f"},
                                                    {w::number, "3i8"},
                                                    {w::number, "1"},
                                                    {'.', "."},
                                                    {w::name, "x"}});
    CHECK(tokens("\"a \\\" b\"") == list{{w::text, "a \\\" b"}});
    CHECK(tokens("-> => == = != <= < >= ... .") == list{{w::arrow, "->"},
                                                        {w::leads_to, "=>"},
                                                        {w::equal, "=="},
                                                        {'=', "="},
                                                        {w::not_equal, "!="},
                                                        {w::less_equal, "<="},
                                                        {'<', "<"},
                                                        {w::greater_equal, ">="},
                                                        {w::dots, "..."},
                                                        {'.', "."}});
}

TEST_CASE("comments stand in each other and count lines") {
    relay_lexer lexer("a // b\n/* c /* d\n */ e */ f\n\"x\ny\" g");
    CHECK(lexer.next().at == source_position{1, 1});
    const relay_token f = lexer.next();
    CHECK(f.text == "f");
    CHECK(f.at == source_position{3, 10});
    CHECK(lexer.next().at == source_position{4, 1});
    CHECK(lexer.next().at == source_position{5, 4});
    CHECK(lexer.next().what == relay_word::end);
    CHECK(lexer.next().what == relay_word::end);
}

TEST_CASE("fields are digits behind a point, and no numbers") {
    relay_lexer lexer("%x.0.1");
    lexer.next();
    lexer.next();
    CHECK(lexer.field().text == "0");
    lexer.next();
    CHECK(lexer.field().text == "1");
    CHECK(lexer.place() == 6);
}

TEST_CASE("what begins nothing, or does not end, is wrong") {
    CHECK(fault("%") == "a name or a number was expected behind '%'");
    CHECK(fault("%1x") == "a name begins with a letter, and a number has digits alone");
    CHECK(fault("@1") == "a name was expected behind '@'");
    CHECK(fault("/* /* */") == "this comment is never closed; close it with '*/'");
    CHECK(fault("\"abc\\\"") == "this quote is never closed; close it with '\"'");
    CHECK(fault("$") == "this character begins nothing in Relay's text");
    CHECK(tokens("\xC3\xA4 a").front() == std::pair<int, std::string>{relay_word::wrong, "\xC3\xA4"});
}

TEST_CASE("backslashes in quotes stand before quotes, backslashes and known letters") {
    CHECK(unquoted_relay_text("a\\\"b\\\\c\\n\\t\\x41") == "a\"b\\c\n\tA");
    CHECK(unquoted_relay_text("\\d \\x4 \\") == "\\d \\x4 \\");
}
