// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_EXACT_BOUNDED_COVER_HPP
#define INLAY_SEARCH_EXACT_BOUNDED_COVER_HPP

#include <vector>

#include <inlay/search/model/fixed_cost.hpp>
#include <inlay/search/problem.hpp>

namespace inlay {

/// What a branch-and-bound run over one domain found, in whole units.
struct bounded_cover {
    /// `infinite_cost` if nothing was found.
    fixed_cost cost = infinite_cost;
    /// `infinite_cost` if it is proved that there is nothing.
    fixed_cost bound = 0;
    std::vector<candidate_index> chosen;

    [[nodiscard]] bool proved() const { return bound >= cost; }
};

}  // namespace inlay

#endif
