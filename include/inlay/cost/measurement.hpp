// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_MEASUREMENT_HPP
#define INLAY_COST_MEASUREMENT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include <inlay/cost/statistics.hpp>

namespace inlay {

/// What running something showed: seconds per run, or the reason why it does not run. Neither, where nothing was measured yet.
struct measurement {
    double median = 0;   // seconds; infinity where it does not run, so that it can be planned with as it is
    double minimum = 0;  // seconds; likewise
    double spread = 0;   // seconds between the quartiles
    std::uint32_t samples = 0;
    std::string failure;         // one sentence; empty where it ran
    std::uint32_t windows = 0;   // stretches of time that were compared, of which the quickest is told; 0: unknown
    bool disturbed = false;      // something else ran on the machine, or nobody watched
    std::int64_t when = 0;       // seconds since 1970, UTC; 0: unknown
    double clock = 0;            // seconds of the clock kernel beside it; 0: unknown
    std::string unchecked = {};  // why the kernel was not compared with its meaning; empty where it was, or where that was not asked for
    double check_seconds = 0;    // that the comparison took, of the kernel's own process

    [[nodiscard]] static measurement of(std::span<const double> seconds) {
        const summary s = summarise(seconds);
        return {s.median, s.minimum, s.spread, static_cast<std::uint32_t>(s.samples), {}};
    }
    /// Of samples in the order of time: they are split into windows of equal size, of at least so many samples where there are as many,
    /// and the window of least median is told, since what slows a machine for a while slows whole windows. `samples` counts all.
    [[nodiscard]] static measurement of_windows(std::span<const double> seconds, std::size_t in_a_window) {
        const std::size_t count = std::max<std::size_t>(seconds.size() / std::max<std::size_t>(in_a_window, 1), 1);
        measurement least;
        for (std::size_t w = 0; w < count; ++w) {
            const std::size_t first = seconds.size() * w / count, last = seconds.size() * (w + 1) / count;
            const measurement here = of(seconds.subspan(first, last - first));
            if (w == 0 || here.median < least.median) least = here;
        }
        least.samples = static_cast<std::uint32_t>(seconds.size());
        least.windows = seconds.empty() ? 0 : static_cast<std::uint32_t>(count);
        return least;
    }
    [[nodiscard]] static measurement failed(std::string reason) {
        measurement m;
        m.median = m.minimum = std::numeric_limits<double>::infinity();
        m.failure = std::move(reason);
        return m;
    }

    [[nodiscard]] bool is_measured() const { return samples != 0 && failure.empty(); }
    [[nodiscard]] bool has_failed() const { return !failure.empty(); }
    /// Whether this one, measured later, is to replace that one: it does unless it was disturbed, which makes it slower, and is slower.
    [[nodiscard]] bool replaces(const measurement& earlier) const {
        return !disturbed || !earlier.is_measured() || has_failed() || median <= earlier.median;
    }

    friend bool operator==(const measurement&, const measurement&) = default;
};

}  // namespace inlay

#endif
