// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/option_value.hpp>

#include <limits>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sample_targets.hpp"

using namespace inlay;

TEST_CASE("types are told by the value, and have the names that the tool lists") {
    const option_value values[] = {
        true, std::int64_t{1}, 1.0, std::string("1"), std::vector<std::string>{"1"}, std::vector<std::int64_t>{1}};
    const std::string_view names[] = {"bool", "int", "float", "string", "strings", "ints"};
    for (std::size_t i = 0; i < 6; ++i) CHECK(name_of(type_of(values[i])) == names[i]);
    CHECK(is_list(option_type::texts));
    CHECK(is_list(option_type::integers));
    CHECK_FALSE(is_list(option_type::text));
}

TEST_CASE("a value's text is strictly of its type, from end to end [target.value.strict]") {
    CHECK(read_scalar(option_type::integer, "-7") == option_value(std::int64_t{-7}));
    for (const char* text : {"", " 7", "7 ", "7x", "+7", "0x7", "7.0", "true", "9223372036854775808", "--7"})
        CHECK_FALSE(read_scalar(option_type::integer, text));
    CHECK(read_scalar(option_type::boolean, "true") == option_value(true));
    CHECK(read_scalar(option_type::boolean, "0") == option_value(false));
    for (const char* text : {"", "True", "yes", "2", "true "}) CHECK_FALSE(read_scalar(option_type::boolean, text));
    CHECK(read_scalar(option_type::number, "-2.5e2") == option_value(-250.0));
    CHECK(read_scalar(option_type::number, "-inf") == option_value(-std::numeric_limits<double>::infinity()));
    for (const char* text : {"", "1,5", "1e", "1 ", "nan", "-nan", "1e999"}) CHECK_FALSE(read_scalar(option_type::number, text));
    CHECK(read_scalar(option_type::text, " x ") == option_value(std::string(" x ")));
}

TEST_CASE("integers out of range are refused, and the range is told [target.value.range]") {
    const inlay::integer_range byte{0, 255};
    CHECK(read_scalar(option_type::integer, "255", byte) == option_value(std::int64_t{255}));
    CHECK_FALSE(read_scalar(option_type::integer, "256", byte));
    CHECK_FALSE(read_scalar(option_type::integer, "-1", byte));
    CHECK(inlay::wanted_text(option_type::integer, byte) == "a value of type int from 0 to 255");
    CHECK(inlay::wanted_text(option_type::integer) == "a value of type int");
    CHECK(inlay::wanted_text(option_type::text, byte) == "a value of type string");
}

TEST_CASE("values are the same to the last bit") {
    CHECK(same_value(0.5, 0.5));
    CHECK_FALSE(same_value(0.0, -0.0));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(same_value(nan, nan));
    CHECK_FALSE(same_value(1.0, std::int64_t{1}));
    CHECK(same_value(std::string("x"), std::string("x")));
}

TEST_CASE("numbers read back from their text to the last bit") {
    CHECK(rc::check([] {
        const auto number = *sample_double();
        const auto integer = *rc::gen::arbitrary<std::int64_t>();
        const auto read = read_scalar(option_type::number, scalar_text(number));
        RC_ASSERT(read.has_value());
        RC_ASSERT(same_value(*read, number));
        RC_ASSERT(read_scalar(option_type::integer, scalar_text(integer)) == option_value(integer));
    }));
}
