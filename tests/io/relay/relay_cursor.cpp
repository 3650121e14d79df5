// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_cursor.hpp>

#include <doctest/doctest.h>

using namespace inlay;

namespace {
struct reader {
    std::string_view text;
    relay_faults faults{text};
    relay_cursor c{text, faults};
};
}  // namespace

TEST_CASE("a cursor stands at a token, takes it or says what was expected") {
    reader r{"let %x = 1"};
    CHECK(r.c.at_name("let"));
    CHECK(r.c.ahead().what == relay_word::local);
    CHECK_FALSE(r.c.take('='));
    CHECK(r.c.take_name("let"));
    CHECK(r.c.next().text == "x");
    CHECK(r.c.expect('=', "'='"));
    CHECK_FALSE(r.c.expect(';', "';'"));
    REQUIRE(r.faults.all().size() == 1);
    CHECK(r.faults.all()[0].message == "';' was expected, and '1' stands here");
    CHECK(r.faults.all()[0].at == source_position{1, 10});
    r.c.next();
    CHECK(r.c.at_end());
    CHECK_FALSE(r.c.missing("a value"));
    CHECK(r.faults.all()[1].message == "a value was expected, and the end of the text stands here");
}

TEST_CASE("definitions begin with def and a function, type and a name, and extern before both") {
    for (const char* text : {"def @f", "type A", "extern def @f", "extern type A"}) CHECK(reader{text}.c.at_definition());
    for (const char* text : {"def f", "type =", "extern f", "extern type =", "extern def", "define"})
        CHECK_FALSE(reader{text}.c.at_definition());
}

TEST_CASE("a token that is wrong is told as such, and fields are taken one by one") {
    reader r{"%x.0.1 $"};
    r.c.next();
    CHECK(r.c.next_field().text == "0");
    CHECK(r.c.at('.'));
    CHECK(r.c.next_field().text == "1");
    r.c.missing("a value");
    CHECK(r.faults.all()[0].message == "this character begins nothing in Relay's text");
}
