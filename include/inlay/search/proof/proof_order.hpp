// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_PROOF_ORDER_HPP
#define INLAY_SEARCH_PROOF_PROOF_ORDER_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inlay {

/// Numbers by the rows that they belong to: those of row r are `items[first[r]] ... items[first[r + 1] - 1]`, ascending. Shares nothing
/// with the search.
struct proof_order {
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> items;
};

/// The numbers below `count` by the row that `row_of(number)` says, one of so many. O(count + rows).
template <class RowOf>
[[nodiscard]] proof_order order_by_row(std::size_t rows, std::size_t count, const RowOf& row_of) {
    // Two ahead while it is counted and one ahead while it is filled, so that it ends where it should.
    proof_order made{std::vector<std::uint32_t>(rows + 2, 0), std::vector<std::uint32_t>(count)};
    for (std::size_t i = 0; i < count; ++i) ++made.first[std::size_t{row_of(i)} + 2];
    for (std::size_t r = 0; r < rows; ++r) made.first[r + 2] += made.first[r + 1];
    for (std::size_t i = 0; i < count; ++i) made.items[made.first[std::size_t{row_of(i)} + 1]++] = static_cast<std::uint32_t>(i);
    return made;
}

}  // namespace inlay

#endif
