// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PARTITION_REHEARSAL_HPP
#define INLAY_PARTITION_REHEARSAL_HPP

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/cost/measurement.hpp>
#include <inlay/partition/partition.hpp>

namespace inlay {

/// What the pieces of one cover took inside the running program that it makes: with the caches as the producer left them, and the
/// threads where the last library left them. Neither candidates nor conversions where the program could not be run.
struct rehearsal {
    std::vector<std::pair<std::size_t, measurement>> candidates;  // by number in the set
    std::vector<std::pair<conversion, measurement>> conversions;
    std::string failure;  // one sentence; empty where it ran
};

/// It runs covers as whole programs: one rehearsal per cover, in their order.
///
/// Requires `r(set, covers)`, a cover being the numbers of its candidates.
/// Models: `recorded_rehearsal` in `runtime/`.
template <class R>
concept rehearser = requires(R& r, const candidate_set& set, std::span<const std::vector<std::size_t>> covers) {
    { r(set, covers) } -> std::same_as<std::vector<rehearsal>>;
};

/// Prices in isolation are all there is.
struct no_rehearsal {
    [[nodiscard]] std::vector<rehearsal> operator()(const candidate_set&, std::span<const std::vector<std::size_t>> covers) const {
        return std::vector<rehearsal>(covers.size());
    }
};

static_assert(rehearser<no_rehearsal>);

}  // namespace inlay

#endif
