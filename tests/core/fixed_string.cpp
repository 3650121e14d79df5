// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/fixed_string.hpp>

#include <type_traits>

#include <doctest/doctest.h>

namespace {
template <inlay::fixed_string Text>
struct word {
    static constexpr std::string_view text = Text.view();
};
constexpr char from_a_variable[] = "Conv";
}  // namespace

static_assert(word<"Conv">::text == "Conv");
static_assert(std::is_same_v<word<"Conv">, word<"Conv">>, "equal literals are one argument");
static_assert(std::is_same_v<word<"Conv">, word<from_a_variable>>);
static_assert(!std::is_same_v<word<"Conv">, word<"conv">>);
static_assert(!std::is_same_v<word<"Conv">, word<"Con">>);
static_assert(word<"">::text.empty());

TEST_CASE("a fixed string's view has neither the closing zero nor less than the literal") {
    CHECK(inlay::fixed_string("a\0b").view() == std::string_view("a\0b", 3));
    CHECK(word<"onnx.Conv">::text.size() == 9);
}
