// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_VERIFY_COVER_HPP
#define INLAY_SEARCH_PROOF_VERIFY_COVER_HPP

#include <span>
#include <string>

#include <inlay/core/linkage.hpp>
#include <inlay/search/problem.hpp>

namespace inlay {

/// What candidates of a problem are worth as a cover, told without any code of the search.
struct cover_report {
    /// Whether every node is covered once, no cycle between parts is where none may be, and every conversion is possible; and one sentence
    /// for the first of these that is not so.
    bool covers = false;
    std::string fault;
    /// What the cover costs, by the definition of `problem`.
    double cost = 0;
};

/// Checks a cover of a problem that `check` accepts. The candidates may come from anybody. O(size of the problem), and sorting the formats
/// in which one tensor is wanted.
[[nodiscard]] INLAY_FUNCTION cover_report verify_cover(const problem& given, std::span<const candidate_index> chosen);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/search/proof/verify_cover.ipp>
#endif

#endif
