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

/// The roofline model (Williams, Waterman, Patterson 2009): the time of work that is bound by arithmetic or by memory, whichever takes
/// longer, at the machine's peaks. Seconds; with true peaks a lower bound of what any code needs.
[[nodiscard]] constexpr double roofline_seconds(double flops, double bytes, const machine_peaks& peaks) {
    return peaks.launch + std::max(flops / peaks.flops, bytes / peaks.bytes);
}

}  // namespace inlay

#endif
