// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/outcome.hpp>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace {

struct only_moves {
    explicit only_moves(int v) : value(v) {}
    only_moves(only_moves&&) = default;
    only_moves& operator=(only_moves&&) = default;
    int value;
};

inlay::outcome<int> half(int n) {
    if (n % 2 != 0) return inlay::error{"an odd number has no half"};
    return n / 2;
}
inlay::outcome<void> even(int n) {
    if (n % 2 != 0) return inlay::error{"the number is odd"};
    return {};
}

}  // namespace

static_assert(!std::is_convertible_v<inlay::outcome<int>, bool>, "an outcome is no number; asking it is explicit");
static_assert(std::is_convertible_v<inlay::error, inlay::outcome<int>>);
static_assert(!std::is_default_constructible_v<inlay::outcome<int>>);
static_assert(std::is_default_constructible_v<inlay::outcome<void>>);
static_assert(std::is_same_v<decltype(*std::declval<inlay::outcome<int>>()), int&&>);

TEST_CASE("an outcome is a value, or the error in its place") {
    const auto good = half(6), bad = half(7);
    CHECK(good.has_value());
    CHECK(static_cast<bool>(good));
    CHECK(*good == 3);
    CHECK_FALSE(bad.has_value());
    CHECK(bad.failure() == inlay::error{"an odd number has no half"});
}

TEST_CASE("the value can be changed in place and moved out") {
    inlay::outcome<std::vector<int>> list = std::vector<int>{1};
    list->push_back(2);
    (*list)[0] = 5;
    const std::vector<int> taken = *std::move(list);
    CHECK(taken == std::vector<int>{5, 2});
    inlay::outcome<only_moves> one = only_moves(4);
    CHECK((*std::move(one)).value == 4);
}

TEST_CASE("the outcome of nothing succeeds by default and fails with an error") {
    CHECK(even(2).has_value());
    const auto odd = even(3);
    CHECK_FALSE(odd);
    CHECK(odd.failure().message == "the number is odd");
}

TEST_CASE("an outcome of text that failed is not the text of its error") {
    const inlay::outcome<std::string> failed = inlay::error{"no"};
    CHECK_FALSE(failed.has_value());
    const inlay::outcome<std::string> good = std::string("no");
    CHECK(good.has_value());
}
