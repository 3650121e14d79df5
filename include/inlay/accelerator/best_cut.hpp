// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_ACCELERATOR_BEST_CUT_HPP
#define INLAY_ACCELERATOR_BEST_CUT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>

namespace inlay {

/// A way to cut a layer for a machine with what it costs, and what no way that was looked for costs less than.
template <class Cut>
struct chosen_cut {
    Cut best{};
    std::int64_t cycles = 0, bound = 0;
    std::size_t timed = 0, all = 0;  // cuts whose programs were timed; all that fit
};

/// A cut, and cycles that no program of it is below.
template <class Cut>
struct bounded_cut {
    std::int64_t bound = 0;
    Cut cut{};
};

/// The cut whose program takes the fewest cycles: `time(cut)` gives those, or an error, and is asked in the order of bounds until none that
/// is left can win, or so many were timed; then `bound` is below `cycles`. Precondition: there is a cut.
template <class Cut, class Time>
[[nodiscard]] outcome<chosen_cut<Cut>> best_cut(std::vector<bounded_cut<Cut>> all, std::size_t most_timed, Time&& time) {
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.bound < b.bound; });
    chosen_cut<Cut> made;
    made.all = all.size();
    for (const bounded_cut<Cut>& one : all) {
        if (made.timed != 0 && (one.bound >= made.cycles || made.timed == most_timed)) {
            made.bound = std::min(one.bound, made.cycles);
            return made;
        }
        const outcome<std::int64_t> cycles = time(one.cut);
        if (!cycles) return cycles.failure();
        if (made.timed++ == 0 || *cycles < made.cycles) {
            made.cycles = *cycles;
            made.best = one.cut;
        }
    }
    made.bound = made.cycles;
    return made;
}

}  // namespace inlay

#endif
