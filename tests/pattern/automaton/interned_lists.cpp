// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/automaton/interned_lists.hpp>

#include <map>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

using inlay::interned_lists;

TEST_CASE("equal lists have one number, different ones have two, in the order in which they come") {
    CHECK(rc::check("as a map numbers them", [](const std::vector<std::vector<std::uint8_t>>& lists) {
        interned_lists kept;
        std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
        for (const auto& list : lists) {
            const std::vector<std::uint32_t> wide(list.begin(), list.end());
            const auto [at, fresh] = numbers.emplace(wide, static_cast<std::uint32_t>(numbers.size()));
            RC_ASSERT(kept.number_of(wide) == at->second);
        }
        RC_ASSERT(kept.size() == numbers.size());
        for (const auto& [list, number] : numbers) {
            const auto found = kept[number];
            RC_ASSERT(std::vector<std::uint32_t>(found.begin(), found.end()) == list);
        }
    }));
}

TEST_CASE("many lists stay apart, and none is left when all are cleared") {
    interned_lists kept;
    for (std::uint32_t i = 0; i < 5000; ++i) {
        const std::uint32_t list[] = {i / 70, i % 70, 7};
        CHECK(kept.number_of(list) == i);
    }
    const std::uint32_t again[] = {3, 5, 7};
    CHECK(kept.number_of(again) == 215);
    CHECK(kept.weight() == 5000u * 5);
    kept.clear();
    CHECK(kept.size() == 0);
    CHECK(kept.number_of(again) == 0);
}
