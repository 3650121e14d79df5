// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/element_type.hpp>

#include <doctest/doctest.h>

using inlay::element_type;

static_assert(inlay::element_type_of<float> == element_type::float32);
static_assert(inlay::element_type_of<bool> == element_type::boolean);
static_assert(inlay::element_type_of<char*> == element_type::none, "what is no element has none");
static_assert(inlay::name_of(element_type::boolean) == "bool");
static_assert(inlay::is_byte(element_type::int8) && inlay::is_byte(element_type::uint8));
static_assert(!inlay::is_byte(element_type::boolean) && !inlay::is_byte(element_type::int16));
static_assert(inlay::element_type_named("bfloat16") == element_type::bfloat16);
static_assert(!inlay::element_type_named("float"));

TEST_CASE("every element type is found by its name, and says its size") {
    for (int i = 0; i <= static_cast<int>(inlay::last_element_type); ++i) {
        const auto e = static_cast<element_type>(i);
        CAPTURE(i);
        CHECK(inlay::element_type_named(inlay::name_of(e)) == e);
    }
    CHECK(inlay::size_of(element_type::float16) == 2);
    CHECK(inlay::size_of(element_type::int64) == 8);
    CHECK(inlay::size_of(element_type::boolean) == 1);
    CHECK(inlay::size_of(element_type::none) == 0);
    CHECK(inlay::size_of(element_type::string) == 0);
}

TEST_CASE("C++ scalars have the size of their element type") {
    CHECK(inlay::size_of(inlay::element_type_of<double>) == sizeof(double));
    CHECK(inlay::size_of(inlay::element_type_of<std::int8_t>) == 1);
    CHECK(inlay::size_of(inlay::element_type_of<std::uint16_t>) == 2);
    CHECK(inlay::size_of(inlay::element_type_of<std::int32_t>) == 4);
    CHECK(inlay::size_of(inlay::element_type_of<std::uint64_t>) == 8);
    CHECK(inlay::size_of(inlay::element_type_of<bool>) == sizeof(bool));
}

TEST_CASE("an element type is floating, signed, unsigned, or none of these, never two") {
    int floating = 0, with_sign = 0, without_sign = 0;
    for (int i = 0; i <= static_cast<int>(element_type::string); ++i) {
        const auto e = static_cast<element_type>(i);
        CAPTURE(i);
        const int kinds = inlay::is_floating(e) + inlay::is_signed_integer(e) + inlay::is_unsigned_integer(e);
        CHECK(kinds <= 1);
        CHECK(inlay::is_integer(e) == (inlay::is_signed_integer(e) || inlay::is_unsigned_integer(e)));
        floating += inlay::is_floating(e);
        with_sign += inlay::is_signed_integer(e);
        without_sign += inlay::is_unsigned_integer(e);
    }
    CHECK(floating == 4);
    CHECK(with_sign == 4);
    CHECK(without_sign == 4);
    CHECK_FALSE(inlay::is_integer(element_type::boolean));
}
