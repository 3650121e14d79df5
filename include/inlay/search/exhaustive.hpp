// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_EXHAUSTIVE_HPP
#define INLAY_SEARCH_EXHAUSTIVE_HPP

#include <cstdint>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// Plain enumeration takes at most this many nodes, and gives up after this many partial covers.
inline constexpr std::uint32_t exhaustive_nodes = 40;

inline constexpr std::uint64_t exhaustive_visits = 20'000'000;

/// Tries every cover of a valid problem and keeps the cheapest, of equal ones the first in lexicographic order of its candidates
/// (by first open node, then candidate). Shares nothing with the exact search but `cover_cost`. The marginals are always filled in and
/// exact. Fails if the problem is above `exhaustive_nodes` or has more than `exhaustive_visits` partial covers.
[[nodiscard]] INLAY_FUNCTION outcome<selection> exhaustive(const problem& given);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/search/exhaustive.ipp>
#endif

#endif
