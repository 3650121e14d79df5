// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_MODEL_ROWS_HPP
#define INLAY_SEARCH_MODEL_ROWS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inlay {

/// Lists of different lengths in one array (compressed sparse rows): row r is `items[begin[r]] ... items[begin[r + 1] - 1]`.
template <class T>
struct rows {
    std::vector<std::size_t> begin = {0};
    std::vector<T> items;

    [[nodiscard]] std::size_t size() const { return begin.size() - 1; }
    [[nodiscard]] std::span<const T> operator[](std::size_t row) const { return {items.data() + begin[row], begin[row + 1] - begin[row]}; }
    /// Ends the row to which items were appended.
    void close() { begin.push_back(items.size()); }
};

namespace detail {

/// Rows from (row, item) pairs in two passes; the items of a row keep the order in which `each` names them. O(pairs + row_count).
/// `each(visit)` calls `visit(row, item)` for every pair, twice over in the same order.
template <class T, class Each>
[[nodiscard]] rows<T> make_rows(std::size_t row_count, const Each& each) {
    rows<T> made;
    made.begin.assign(row_count + 1, 0);
    each([&](std::size_t row, const T&) { ++made.begin[row + 1]; });
    for (std::size_t r = 0; r < row_count; ++r) made.begin[r + 1] += made.begin[r];
    made.items.resize(made.begin[row_count]);
    std::vector<std::size_t> next(made.begin.begin(), made.begin.end() - 1);
    each([&](std::size_t row, const T& item) { made.items[next[row]++] = item; });
    return made;
}

}  // namespace detail

}  // namespace inlay

#endif
