// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_INDEX_LIST_HPP
#define INLAY_OPS_LOOPS_INDEX_LIST_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/call_view.hpp>

namespace inlay {

/// What an operand that is a list of integers says to a type rule: a shape, axes, pads, repeats.
struct index_list {
    bool present = false;                             // not left out
    std::optional<std::vector<std::int64_t>> values;  // where they are known
    std::optional<std::size_t> count;                 // how many there are, where that is known

    [[nodiscard]] bool known() const { return values.has_value(); }
};

inline constexpr std::int64_t largest_rank = 256;

/// Operand i as a list of integers. The error says that it is none, or has more entries than any tensor has axes.
[[nodiscard]] INLAY_FUNCTION outcome<index_list> index_list_of(const call_view& call, std::size_t i);

/// The distinct axes that a list names, counted from the front, in the list's order.
[[nodiscard]] INLAY_FUNCTION outcome<std::vector<std::size_t>> distinct_axes(const call_view& call, const std::vector<std::int64_t>& list,
                                                                             std::size_t rank);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/ops/loops/index_list.ipp>
#endif

#endif
