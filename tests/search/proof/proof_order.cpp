// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/proof/proof_order.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

TEST_CASE("numbers stand by their rows, ascending, and rows may be empty") {
    const std::vector<std::uint32_t> rows = {3, 0, 3, 1, 0, 3};
    const inlay::proof_order made = inlay::order_by_row(5, rows.size(), [&](std::size_t i) { return rows[i]; });
    CHECK(std::vector<std::uint32_t>(made.first.begin(), made.first.begin() + 6) == std::vector<std::uint32_t>{0, 2, 3, 3, 6, 6});
    CHECK(made.items == std::vector<std::uint32_t>{1, 4, 3, 0, 2, 5});
    const inlay::proof_order none = inlay::order_by_row(0, 0, [](std::size_t) { return 0u; });
    CHECK(none.items.empty());
    CHECK(none.first[0] == 0);
}
