// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PROGRAM_METER_HPP
#define INLAY_PLAN_PROGRAM_METER_HPP

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
struct program_timing {
    std::vector<std::pair<std::size_t, measurement>> candidates;  // by number in the set
    std::vector<std::pair<conversion, measurement>> conversions;
    std::string failure;                                                // one sentence; empty where it ran
    std::vector<std::pair<std::size_t, std::string>> not_emitted = {};  // candidates without code, and why
};

/// It runs covers as whole programs: one rehearsal per cover, in their order.
///
/// Requires `r(set, covers)`, a cover being the numbers of its candidates.
/// Models: `recorded_program_meter` in `runtime/`.
template <class R>
concept program_meter = requires(R& r, const candidate_set& set, std::span<const std::vector<std::size_t>> covers) {
    { r(set, covers) } -> std::same_as<std::vector<program_timing>>;
};

/// Prices in isolation are all there is.
struct no_program_meter {
    [[nodiscard]] std::vector<program_timing> operator()(const candidate_set&, std::span<const std::vector<std::size_t>> covers) const {
        return std::vector<program_timing>(covers.size());
    }
};

static_assert(program_meter<no_program_meter>);

/// A program meter behind one indirect call, so that planning with several is compiled once. Refers to the meter, which must outlive it.
class program_meter_ref {
public:
    template <program_meter R>
    requires(!std::same_as<R, program_meter_ref>) program_meter_ref(R& r)
        : meter_(const_cast<void*>(static_cast<const void*>(&r))),
          run_([](void* self, const candidate_set& set, std::span<const std::vector<std::size_t>> covers) {
              return (*static_cast<R*>(self))(set, covers);
          }) {}

    [[nodiscard]] std::vector<program_timing> operator()(const candidate_set& set, std::span<const std::vector<std::size_t>> covers) const {
        return run_(meter_, set, covers);
    }

private:
    void* meter_;
    std::vector<program_timing> (*run_)(void*, const candidate_set&, std::span<const std::vector<std::size_t>>);
};

}  // namespace inlay

#endif
