// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_SORTED_LIST_HPP
#define INLAY_CORE_SORTED_LIST_HPP

#include <cstddef>
#include <utility>
#include <vector>

// For the headers that everybody includes, who should not have to pay for <algorithm>.

namespace inlay {

/// Sorts a list; equals keep their order, so that the outcome is the same with every standard library. O(n log n), with a second list.
template <class T>
void sort_list(std::vector<T>& list) {
    const std::size_t size = list.size();
    if (size <= 8) {
        // By insertion: short lists are frequent, and need no second one.
        for (std::size_t i = 1; i < size; ++i) {
            T item = std::move(list[i]);
            std::size_t at = i;
            for (; at != 0 && item < list[at - 1]; --at) list[at] = std::move(list[at - 1]);
            list[at] = std::move(item);
        }
        return;
    }
    std::vector<T> merged(size);
    for (std::size_t run = 1; run < size; run *= 2) {
        for (std::size_t first = 0; first < size; first += 2 * run) {
            const std::size_t middle = size - first < run ? size : first + run;
            const std::size_t last = size - middle < run ? size : middle + run;
            std::size_t left = first, right = middle;
            for (std::size_t out = first; out < last; ++out) {
                const bool from_left = right == last || (left != middle && !(list[right] < list[left]));
                merged[out] = std::move(list[from_left ? left++ : right++]);
            }
        }
        list.swap(merged);
    }
}

/// Sorts a list and leaves one of each.
template <class T>
void sort_unique(std::vector<T>& list) {
    sort_list(list);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (i != 0 && list[kept - 1] == list[i]) continue;
        if (kept != i) list[kept] = std::move(list[i]);
        ++kept;
    }
    while (list.size() > kept) list.pop_back();
}

/// The place of the first item of a sorted list that is not below a value; the list's size where all are. O(log n).
template <class List, class T>
[[nodiscard]] std::size_t lower_place(const List& sorted, const T& value) {
    std::size_t first = 0, last = sorted.size();
    while (first < last) {
        const std::size_t middle = first + (last - first) / 2;
        if (sorted[middle] < value)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/// Whether a sorted list has a value. O(log n).
template <class List, class T>
[[nodiscard]] bool sorted_has(const List& sorted, const T& value) {
    const std::size_t at = lower_place(sorted, value);
    return at < sorted.size() && sorted[at] == value;
}

/// Whether a list in any order has a value. O(n).
template <class List, class T>
[[nodiscard]] bool has_item(const List& list, const T& value) {
    for (const auto& item : list)
        if (item == value) return true;
    return false;
}

}  // namespace inlay

#endif
