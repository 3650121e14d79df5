// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_REGRET_HPP
#define INLAY_SEARCH_REGRET_HPP

#include <optional>
#include <span>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/select_options.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// What it would cost to have a candidate, against a cover that does without.
struct regret {
    /// How the search for the cheapest cover with the candidate ended; `gap`: `cover` is the best that was found.
    selection_status status = selection_status::infeasible;
    /// That cover, ascending, its cost, and what no cover with the candidate costs less than; none where there is no such cover.
    std::vector<candidate_index> cover;
    std::optional<double> cost;
    std::optional<double> lower_bound;
    /// `cost` less that of the given cover; infinite where there is no such cover, or the given one does not cover all. Then its three
    /// parts: the candidate's own cost less that of the candidates whose nodes it takes, what conversions cost more, and what other
    /// candidates cost more that had to change.
    double total = impossible;
    double own = 0;
    double conversions = 0;
    double elsewhere = 0;
    /// At or below this cost the candidate would be in a cheapest cover, were all other prices as they are; none where not even for
    /// nothing, or where the search did not end. The given cover must be optimal for this.
    std::optional<double> break_even;
};

/// The regret of a candidate against a cover, which has all that it takes to cover every node, also what is free. One search of the problem
/// without what overlaps the candidate.
[[nodiscard]] INLAY_FUNCTION regret regret_of(const problem& given, std::span<const candidate_index> cover, candidate_index wanted,
                                              select_options options = {});

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/search/regret.ipp>
#endif

#endif
