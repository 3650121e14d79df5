// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/plain_list.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

using inlay::plain_list;

namespace {

template <class T>
bool is(const plain_list<T>& list, const std::vector<T>& expected) {
    return std::equal(list.begin(), list.end(), expected.begin(), expected.end()) && list.empty() == expected.empty() &&
           list.all().size() == list.size();
}

}  // namespace

TEST_CASE("a list does what a vector does") {
    CHECK(rc::check("steps", [](const std::vector<int>& steps) {
        plain_list<std::string> list, other;
        std::vector<std::string> expected, other_expected;
        for (const int step : steps) {
            const auto size = static_cast<std::size_t>(step < 0 ? -(step + 1) : step);
            const std::string text = "a text that has a buffer of its own " + std::to_string(step);
            switch (size % 10) {
                case 0:
                case 1:
                    list.push_back(text), expected.push_back(text);
                    break;
                case 2:
                    if (!expected.empty()) list.push_back(list[0]), expected.push_back(expected[0]);
                    break;
                case 3:
                    if (!expected.empty()) list.pop_back(), expected.pop_back();
                    break;
                case 4:
                    list.resize(size % 40, text), expected.resize(size % 40, text);
                    break;
                case 5:
                    list.assign(size % 7, text), expected.assign(size % 7, text);
                    break;
                case 6:
                    if (list.size() > 1000) break;
                    list.append(other.all()), expected.insert(expected.end(), other_expected.begin(), other_expected.end());
                    break;
                case 9:
                    list.cut(list.size() / 2), expected.resize(expected.size() / 2);
                    break;
                case 7:
                    other = list, other_expected = expected;
                    break;
                default:
                    list.swap(other), expected.swap(other_expected);
                    break;
            }
            RC_ASSERT(is(list, expected));
            RC_ASSERT(is(other, other_expected));
            if (!expected.empty()) RC_ASSERT(list.back() == expected.back());
        }
        const plain_list<std::string> copy(list), moved(std::move(list));
        RC_ASSERT(is(copy, expected) && is(moved, expected));
    }));
}

TEST_CASE("a list is sorted from a place on, and cut down to one of each") {
    CHECK(rc::check("numbers", [](const std::vector<std::uint8_t>& numbers) {
        for (const std::size_t first : {std::size_t{0}, numbers.size() / 2}) {
            plain_list<std::uint8_t> list((std::span<const std::uint8_t>(numbers)));
            auto expected = numbers;
            sort_from(list, first);
            std::sort(expected.begin() + static_cast<std::ptrdiff_t>(first), expected.end());
            RC_ASSERT(is(list, expected));
        }
        plain_list<std::uint8_t> list((std::span<const std::uint8_t>(numbers)));
        auto expected = numbers;
        sort_unique(list);
        std::sort(expected.begin(), expected.end());
        expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
        RC_ASSERT(is(list, expected));
    }));
    plain_list<int> many;
    for (int i = 0; i < 1000; ++i) many.push_back(i * 7919 % 1000 / 2);
    sort_unique(many);
    REQUIRE(many.size() == 500);
    for (int i = 0; i < 500; ++i) CHECK(many[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("a list works at compile time") {
    constexpr auto sum = [] {
        plain_list<int> list;
        for (int i = 0; i < 100; ++i) list.push_back(100 - i);
        sort_from(list, 0);
        list.resize(10);
        int made = 0;
        for (const int i : list) made += i;
        return made;
    }();
    static_assert(sum == 55);
    CHECK(sum == 55);
}
