// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_MEASUREMENT_HPP
#define INLAY_COST_MEASUREMENT_HPP

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
    std::string failure;  // one sentence; empty where it ran

    [[nodiscard]] static measurement of(std::span<const double> seconds) {
        const summary s = summarise(seconds);
        return {s.median, s.minimum, s.spread, static_cast<std::uint32_t>(s.samples), {}};
    }
    [[nodiscard]] static measurement failed(std::string reason) {
        measurement m;
        m.median = m.minimum = std::numeric_limits<double>::infinity();
        m.failure = std::move(reason);
        return m;
    }

    [[nodiscard]] bool is_measured() const { return samples != 0 && failure.empty(); }
    [[nodiscard]] bool has_failed() const { return !failure.empty(); }

    friend bool operator==(const measurement&, const measurement&) = default;
};

}  // namespace inlay

#endif
