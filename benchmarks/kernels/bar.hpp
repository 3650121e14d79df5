// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BENCHMARKS_KERNELS_BAR_HPP
#define INLAY_BENCHMARKS_KERNELS_BAR_HPP

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace kernels {

/// What the rounds of a question came to.
struct rounds_seen {
    double peak = 0;                      // floating operations a second that registers alone reach
    double copied = 0;                    // bytes a second, read plus written
    double operations = 0, bytes = 0;     // of the question
    std::map<std::string, double> least;  // seconds of our kernels, the quickest form of each composite

    /// No number where no such kernel ran.
    [[nodiscard]] double seconds(const std::string& composite) const {
        const auto at = least.find(composite);
        return at == least.end() ? std::numeric_limits<double>::quiet_NaN() : at->second;
    }
};

/// A number that our kernels are to reach.
struct bar {
    std::string what;
    double wanted = 0;
    std::function<double(const rounds_seen&)> reached;
    bool at_most = false;

    [[nodiscard]] bool is_kept(double value) const { return at_most ? value <= wanted : value >= wanted; }
};

/// The share of the peak that a composite's quickest form reaches.
inline bar share_of_peak(const std::string& composite, double wanted) {
    return {composite + " over the peak", wanted,
            [composite](const rounds_seen& r) { return r.operations / r.seconds(composite) / r.peak; }};
}

/// How many times faster Winograd's forms are than our direct one.
inline bar winograd_over_direct(double wanted) {
    return {"direct over Winograd's time", wanted, [](const rounds_seen& r) {
                return r.seconds("convolution") / std::fmin(r.seconds("convolution_winograd"), r.seconds("convolution_winograd_2x2"));
            }};
}

/// The rate of a kernel over that of a copy of as many bytes.
inline bar share_of_copy(const std::string& composite, double wanted) {
    return {composite + " over the rate of a copy", wanted,
            [composite](const rounds_seen& r) { return r.bytes / r.seconds(composite) / r.copied; }};
}

/// How many times the time that operations at the peak, or a copy of as many bytes, take at least.
inline bar times_the_floor(const std::string& composite, double bytes, double wanted) {
    return {composite + " over operations at the peak or a copy of its bytes", wanted,
            [=](const rounds_seen& r) { return r.seconds(composite) / std::max(r.operations / r.peak, bytes / r.copied); }, true};
}

}  // namespace kernels

#endif
