// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/model/rows.hpp>

#include <utility>
#include <vector>

#include <doctest/doctest.h>

TEST_CASE("rows keep lists of different lengths, empty ones too") {
    inlay::rows<int> r;
    CHECK(r.size() == 0);
    r.items = {4, 5};
    r.close();
    r.close();
    r.items.push_back(6);
    r.close();
    REQUIRE(r.size() == 3);
    CHECK(std::vector<int>(r[0].begin(), r[0].end()) == std::vector<int>{4, 5});
    CHECK(r[1].empty());
    CHECK(r[2][0] == 6);
}

TEST_CASE("rows are made from pairs in the order in which they are named") {
    const std::vector<std::pair<int, int>> pairs = {{2, 7}, {0, 1}, {2, 5}};
    const auto r = inlay::detail::make_rows<int>(3, [&](auto visit) {
        for (const auto& [row, item] : pairs) visit(static_cast<std::size_t>(row), item);
    });
    CHECK(r[0].size() == 1);
    CHECK(r[1].empty());
    CHECK(std::vector<int>(r[2].begin(), r[2].end()) == std::vector<int>{7, 5});
}
