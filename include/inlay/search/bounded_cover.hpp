// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_BOUNDED_COVER_HPP
#define INLAY_SEARCH_BOUNDED_COVER_HPP

#include <vector>

#include <inlay/search/problem.hpp>
#include <inlay/search/scaled.hpp>

namespace inlay {

/// What a branch-and-bound run over one domain found, in whole units.
struct bounded_cover {
    /// `never` if nothing was found.
    scaled cost = never;
    /// `never` if it is proved that there is nothing.
    scaled bound = 0;
    std::vector<candidate_index> chosen;

    [[nodiscard]] bool proved() const { return bound >= cost; }
};

}  // namespace inlay

#endif
