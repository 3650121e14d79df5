// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/term/attribute_guard.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

using inlay::accepts;
using inlay::attribute_guard;
using inlay::attribute_value;
using form = attribute_guard::form;

namespace {

bool takes(const attribute_guard& guard, const attribute_value& value) { return accepts(guard, &value); }
bool takes_none(const attribute_guard& guard) { return accepts<attribute_value>(guard, nullptr); }

const std::array<std::int64_t, 2> two_integers{1, 2};
const std::array<double, 2> two_numbers{0.1, 2};
const std::array<std::string_view, 2> two_texts{"a", "b"};

attribute_guard integer(std::size_t i) { return {"n", form::integer, std::span(two_integers).subspan(i, 1)}; }
attribute_guard number(std::size_t i) { return {"n", form::number, {}, std::span(two_numbers).subspan(i, 1)}; }

}  // namespace

TEST_CASE("what is there and what is absent is asked for without a value") {
    CHECK(takes({"n", form::present}, std::int64_t{0}));
    CHECK_FALSE(takes_none({"n", form::present}));
    CHECK_FALSE(takes({"n", form::absent}, std::int64_t{0}));
    CHECK(takes_none({"n", form::absent}));
    CHECK_FALSE(takes_none(integer(0)));
}

TEST_CASE("a whole number serves where a number is asked for, and the other way round where they are equal") {
    CHECK(takes(integer(0), std::int64_t{1}));
    CHECK_FALSE(takes(integer(0), std::int64_t{2}));
    CHECK(takes(integer(0), 1.0));
    CHECK_FALSE(takes(integer(0), 1.5));
    CHECK(takes(number(1), std::int64_t{2}));
    CHECK_FALSE(takes(number(1), std::int64_t{3}));
    CHECK_FALSE(takes(integer(0), std::string("1")));
    CHECK_FALSE(takes(number(1), std::string("2")));
}

TEST_CASE("a number is asked for as it is written, though files keep it as float32") {
    CHECK(takes(number(0), 0.1));
    CHECK(takes(number(0), static_cast<double>(0.1f)));
    CHECK_FALSE(takes(number(0), 0.1001));
    CHECK(inlay::same_number(0.1, static_cast<double>(0.1f)));
    CHECK_FALSE(inlay::same_number(1, 2));
}

TEST_CASE("texts and lists are equal as wholes") {
    const attribute_guard text{"n", form::text, {}, {}, std::span(two_texts).first(1)};
    CHECK(takes(text, std::string("a")));
    CHECK_FALSE(takes(text, std::string("ab")));
    CHECK_FALSE(takes(text, std::vector<std::string>{"a"}));
    const attribute_guard integers{"n", form::integers, two_integers};
    CHECK(takes(integers, std::vector<std::int64_t>{1, 2}));
    CHECK_FALSE(takes(integers, std::vector<std::int64_t>{1}));
    CHECK_FALSE(takes(integers, std::vector<std::int64_t>{2, 1}));
    CHECK(takes(integers, std::vector<double>{1, 2}));
    CHECK_FALSE(takes(integers, std::int64_t{1}));
    const attribute_guard numbers{"n", form::numbers, {}, two_numbers};
    CHECK(takes(numbers, std::vector<double>{0.1, 2}));
    CHECK_FALSE(takes(numbers, std::vector<double>{0.2, 2}));
    CHECK_FALSE(takes(numbers, std::vector<std::int64_t>{0, 2}));
    const attribute_guard texts{"n", form::texts, {}, {}, two_texts};
    CHECK(takes(texts, std::vector<std::string>{"a", "b"}));
    CHECK_FALSE(takes(texts, std::vector<std::string>{"a", "c"}));
    CHECK_FALSE(takes(texts, std::string("a")));
}

TEST_CASE("a list without elements is of any type") {
    const attribute_guard none{"n", form::integers};
    CHECK(takes(none, std::vector<std::int64_t>{}));
    CHECK(takes(none, std::vector<double>{}));
    CHECK(takes(none, std::vector<std::string>{}));
    CHECK_FALSE(takes(none, std::vector<std::string>{""}));
    CHECK_FALSE(takes(none, std::int64_t{0}));
}
