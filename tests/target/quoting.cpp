// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/quoting.hpp>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sample_targets.hpp"

using namespace inlay;

namespace {

using texts = std::vector<std::string>;

std::string text_of(std::string_view written) {
    const auto read = read_written_value(option_type::text, written);
    return read ? std::get<std::string>(*read) : "! " + read.failure().message;
}

}  // namespace

TEST_CASE("a value is printed without quotes where it needs none [target.value.quotes]") {
    for (const char* text : {"sm_80", "-x", "a=b", "a,b", "/usr/lib", "1.5", "{}"}) CHECK(written_value(std::string(text)) == text);
    CHECK(written_value(std::string()) == "''");
    CHECK(written_value(std::string("a b")) == "'a b'");
    CHECK(written_value(std::string("a,")) == "'a,'");
    CHECK(written_value(std::string("it's")) == "'it\\'s'");
    CHECK(written_value(std::string("a\\b")) == "'a\\\\b'");
    CHECK(written_value(texts{"a", "b,c", ""}) == "a,'b,c',''");
    CHECK(written_value(texts{}).empty());
    CHECK(written_value(std::vector<std::int64_t>{1, -2}) == "1,-2");
    CHECK(written_value(true) == "true");
}

TEST_CASE("quotes protect, a backslash protects the next character [target.value.unquoting]") {
    CHECK(text_of("'blah'") == "blah");
    CHECK(text_of("\"a b\"") == "a b");
    CHECK(text_of("a' 'b") == "a b");
    CHECK(text_of("'it\\'s'") == "it's");
    CHECK(text_of("\\'blah\\'") == "'blah'");
    CHECK(text_of("\"it's\"") == "it's");
    CHECK(text_of("a\\ b") == "a b");
    CHECK(text_of("''").empty());
    CHECK(text_of("") == "! has an empty value; write '' for the empty text");
    CHECK(text_of("'a") == "! has a quote ' that is never closed; close it");
    CHECK(text_of("a\\") == "! ends with a backslash, which protects the next character; write two for one");
}

TEST_CASE("a list is split at commas that nothing protects [target.value.list]") {
    CHECK(read_written_value(option_type::texts, "a,'b,c',\"\",d\\,e").has_value());
    CHECK(*read_written_value(option_type::texts, "a,'b,c',\"\",d\\,e") == option_value(texts{"a", "b,c", "", "d,e"}));
    CHECK(*read_written_value(option_type::texts, "") == option_value(texts{}));
    CHECK(*read_written_value(option_type::integers, "1,-2,'3'") == option_value(std::vector<std::int64_t>{1, -2, 3}));
    CHECK(read_written_value(option_type::texts, "a,,b").failure().message == "has nothing between two commas; write '' for an empty text");
    CHECK_FALSE(read_written_value(option_type::texts, ",").has_value());
    CHECK(read_written_value(option_type::integers, "1,two").failure().message == "takes a value of type ints, not '1,two', for 'two'");
    CHECK_FALSE(read_written_value(option_type::integers, "1, 2").has_value());
    CHECK_FALSE(read_written_value(option_type::integers, "1,300", {0, 255}).has_value());
}

TEST_CASE("what is written reads back as the same value, as does an argument of a command line") {
    CHECK(rc::check([] {
        const option_value values[] = {*rc::gen::arbitrary<bool>(),
                                       *rc::gen::arbitrary<std::int64_t>(),
                                       *sample_double(),
                                       *sample_text(),
                                       *rc::gen::container<texts>(sample_text()),
                                       *rc::gen::arbitrary<std::vector<std::int64_t>>()};
        for (const option_value& value : values) {
            const auto read = read_written_value(type_of(value), written_value(value));
            RC_ASSERT(read.has_value());
            RC_ASSERT(same_value(*read, value));
            const auto argument = inlay::read_argument(type_of(value), inlay::argument_text(value));
            RC_ASSERT(argument.has_value());
            RC_ASSERT(same_value(*argument, value));
        }
    }));
}

TEST_CASE("an argument of a command line is taken as it is") {
    CHECK(*inlay::read_argument(option_type::text, "'x") == option_value(std::string("'x")));
    CHECK(*inlay::read_argument(option_type::texts, "a b,c") == option_value(texts{"a b", "c"}));
    CHECK(inlay::read_argument(option_type::integer, "'1'").failure().message == "takes a value of type int, not ''1''");
}
