// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_ROOFLINE_HPP
#define INLAY_COST_ROOFLINE_HPP

#include <algorithm>

namespace inlay {

/// What a machine can do at best, per second, with the threads that a program gets; and what starting a kernel takes, in seconds.
struct machine_peaks {
    double flops = 0;
    double bytes = 0;
    double launch = 0;

    friend bool operator==(const machine_peaks&, const machine_peaks&) = default;
};

/// More than any core gives: two AVX-512 units at 4.7 GHz do 300 billion float32 operations a second, and a first-level cache moves 128
/// bytes a cycle. What work takes at these peaks is a lower bound of what it takes on any CPU.
inline constexpr machine_peaks core_upper_peaks{300e9, 600e9, 0};

/// What ordinary code on an ordinary core gets: for plans without measuring, which are about as good as the guess.
inline constexpr machine_peaks core_typical_peaks{50e9, 20e9, 1e-6};

/// The peaks of so many cores; starting a kernel takes what it took.
[[nodiscard]] constexpr machine_peaks peaks_of_cores(const machine_peaks& core, double cores) {
    return {core.flops * cores, core.bytes * cores, core.launch};
}

/// The roofline model (Williams, Waterman, Patterson 2009): the time of work that is bound by arithmetic or by memory, whichever takes
/// longer, at the machine's peaks. Seconds; with true peaks a lower bound of what any code needs.
[[nodiscard]] constexpr double roofline_seconds(double flops, double bytes, const machine_peaks& peaks) {
    return peaks.launch + std::max(flops / peaks.flops, bytes / peaks.bytes);
}

}  // namespace inlay

#endif
