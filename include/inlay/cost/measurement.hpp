// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_MEASUREMENT_HPP
#define INLAY_COST_MEASUREMENT_HPP

#include <cstdint>
#include <limits>
#include <string>

namespace inlay {

/// What running a kernel or a conversion many times showed, in seconds per run; or why it could not be run, which is an infinite price.
struct measurement {
    double median = std::numeric_limits<double>::infinity();
    double minimum = std::numeric_limits<double>::infinity();
    double spread = 0;  // half the distance between the quartiles
    std::uint32_t samples = 0;
    std::string failure;  // one sentence; empty where it ran

    [[nodiscard]] bool ok() const { return failure.empty() && samples != 0; }

    [[nodiscard]] static measurement failed(std::string why) {
        measurement m;
        m.failure = std::move(why);
        return m;
    }

    friend bool operator==(const measurement&, const measurement&) = default;
};

}  // namespace inlay

#endif
