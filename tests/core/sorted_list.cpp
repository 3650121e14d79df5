// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/sorted_list.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

namespace {

/// Equal where the keys are, so that the place shows whether equals kept their order.
struct keyed {
    int key = 0;
    std::size_t place = 0;

    friend bool operator<(const keyed& a, const keyed& b) { return a.key < b.key; }
};

}  // namespace

TEST_CASE("a list is sorted as the standard library sorts it, and equals keep their order") {
    CHECK(rc::check([](const std::vector<unsigned char>& keys) {
        std::vector<keyed> list;
        for (std::size_t i = 0; i < keys.size(); ++i) list.push_back({keys[i] % 8, i});
        std::vector<keyed> expected = list;
        std::stable_sort(expected.begin(), expected.end());
        inlay::sort_list(list);
        RC_ASSERT(list.size() == expected.size());
        for (std::size_t i = 0; i < list.size(); ++i) {
            RC_ASSERT(list[i].key == expected[i].key);
            RC_ASSERT(list[i].place == expected[i].place);
        }
    }));
}

TEST_CASE("long lists are sorted too") {
    for (const std::size_t size : {1023u, 1024u, 1025u, 5000u}) {
        std::vector<std::size_t> list;
        for (std::size_t i = 0; i < size; ++i) list.push_back(i * 7919 % 1009);
        inlay::sort_list(list);
        CHECK(list.size() == size);
        CHECK(std::is_sorted(list.begin(), list.end()));
    }
}

TEST_CASE("of a list with repeats one of each is left, in order") {
    CHECK(rc::check([](std::vector<std::string> list) {
        list.insert(list.end(), list.begin(), list.end());
        std::vector<std::string> expected = list;
        std::sort(expected.begin(), expected.end());
        expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
        inlay::sort_unique(list);
        RC_ASSERT(list == expected);
    }));
}

TEST_CASE("places and members of a sorted list are the standard library's") {
    CHECK(rc::check([](std::vector<signed char> list, signed char value) {
        inlay::sort_list(list);
        const std::span<const signed char> view = list;
        RC_ASSERT(inlay::lower_place(view, value) ==
                  static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), value) - list.begin()));
        RC_ASSERT(inlay::sorted_has(list, value) == std::binary_search(list.begin(), list.end(), value));
        RC_ASSERT(inlay::has_item(list, value) == (std::find(list.begin(), list.end(), value) != list.end()));
    }));
}
