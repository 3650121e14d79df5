// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/automaton/name_index.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

using inlay::name_index;

TEST_CASE("a name is looked up once, by where it stands and how long it is") {
    name_index<int, 64> index;
    const std::string text = "relu6";
    int made = 0;
    const auto ask = [&](std::string_view name, std::size_t group) { return index.find_or_make(name, group, [&] { return ++made; }); };
    CHECK(ask(text, 0) == 1);
    CHECK(ask(text, 0) == 1);
    // A shorter name at the same address, and the same name in another group, are others.
    CHECK(ask(std::string_view(text).substr(0, 4), 0) == 2);
    CHECK(ask(text, 1) == 3);
    CHECK(ask(text, 1) == 3);
    index.clear();
    CHECK(ask(text, 1) == 4);
    CHECK(ask(std::string_view(), 0) == 5);
}

TEST_CASE("names that fall on one place replace each other, and each has its own value") {
    name_index<std::size_t, 4> index;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < 100; ++i) names.push_back("operator " + std::to_string(i));
    for (int round = 0; round < 2; ++round)
        for (std::size_t i = 0; i < names.size(); ++i) CHECK(index.find_or_make(names[i], 0, [&] { return i; }) == i);
}
