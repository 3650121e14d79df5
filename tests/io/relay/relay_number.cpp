// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_number.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

template <class T>
T value(std::string_view text, bool is_negative = false) {
    const auto t = relay_number_tensor(text, is_negative);
    REQUIRE(t);
    REQUIRE(t->element() == element_type_of<T>);
    REQUIRE(t->rank() == 0);
    return t->as<T>()[0];
}

}  // namespace

TEST_CASE("a number's letters are its type, and without them it is an int32, a float32, or an int64 where it is large") {
    CHECK(value<std::int32_t>("2") == 2);
    CHECK(value<std::int32_t>("2147483648", true) == std::numeric_limits<std::int32_t>::min());
    CHECK(value<std::int64_t>("2147483648") == 2147483648);
    CHECK(value<std::int64_t>("9223372036854775808i64", true) == std::numeric_limits<std::int64_t>::min());
    CHECK(value<std::uint64_t>("18446744073709551615u64") == std::numeric_limits<std::uint64_t>::max());
    CHECK(value<std::int8_t>("128i8", true) == -128);
    CHECK(value<std::uint8_t>("255u8") == 255);
    CHECK(value<std::int16_t>("1i16") == 1);
    CHECK(value<float>("2f") == 2);
    CHECK(value<float>("1.5") == 1.5f);
    CHECK(value<float>("1e-05f") == 1e-05f);
    CHECK(value<double>("0.1f64", true) == -0.1);
    CHECK(std::isinf(value<float>("inff", true)));
    CHECK(std::isnan(value<double>("nanf64")));
    CHECK(std::signbit(value<float>("0f", true)));
    const auto half = relay_number_tensor("1.5f16", false);
    REQUIRE(half);
    CHECK(half->element() == element_type::float16);
    CHECK(half->as<std::uint16_t>()[0] == 0x3E00);
}

TEST_CASE("a number that does not fit its type, or has none, is refused") {
    for (const char* text : {"3000000000i32", "256u8", "99999999999999999999", "1.5i32", "3x", "1e", "1e999f", "2f7", "1.5bool"})
        CHECK_FALSE(relay_number_tensor(text, false));
    CHECK_FALSE(relay_number_tensor("1u8", true));
    CHECK(relay_number_tensor("3x", true).failure().message ==
          "there is no number '-3x'; numbers are written as 2, 2i64, 2f or 2f64, and fit into their types");
}

TEST_CASE("as attributes numbers are 64-bit integers and doubles, to the last digit") {
    CHECK(std::get<std::int64_t>(*relay_number_attribute("3", true)) == -3);
    CHECK(std::get<std::int64_t>(*relay_number_attribute("3i8", false)) == 3);
    CHECK(std::get<double>(*relay_number_attribute("0.1f", false)) == 0.1);
    CHECK(std::get<double>(*relay_number_attribute("inff64", false)) == HUGE_VAL);
    CHECK_FALSE(relay_number_attribute("18446744073709551615u64", false));
}

TEST_CASE("words that are numbers begin as infinity and no number do") {
    CHECK(is_relay_number_word("inff"));
    CHECK(is_relay_number_word("nanf64"));
    for (const char* text : {"inf", "info", "inffinity", "nanny", "nan", "f"}) CHECK_FALSE(is_relay_number_word(text));
    std::uint8_t small = 0;
    CHECK(read_relay_digits("255", small));
    CHECK(small == 255);
    for (const char* text : {"256", "", "1a", "-1"}) CHECK_FALSE(read_relay_digits(text, small));
}
