// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_STATISTICS_HPP
#define INLAY_COST_STATISTICS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inlay {

/// The value below which a share q of the samples lies, interpolated linearly between neighbours (type 7 of Hyndman and Fan, The
/// American Statistician 50, 1996). Reorders the samples. 0 where there are none. Precondition: 0 <= q <= 1.
[[nodiscard]] inline double quantile_of(std::span<double> samples, double q) {
    if (samples.empty()) return 0;
    const double place = q * static_cast<double>(samples.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto at = samples.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(samples.begin(), at, samples.end());
    const double low = *at;
    if (below + 1 >= samples.size()) return low;
    const double high = *std::min_element(at + 1, samples.end());
    return low + (place - static_cast<double>(below)) * (high - low);
}

/// What a set of samples says: the median, the least, and the spread, which is the distance between the quartiles.
struct summary {
    double median = 0;
    double minimum = 0;
    double spread = 0;
    std::size_t samples = 0;

    friend bool operator==(const summary&, const summary&) = default;
};

/// The summary of samples; all zero where there are none. Linear.
[[nodiscard]] inline summary summarise(std::span<const double> samples) {
    if (samples.empty()) return {};
    std::vector<double> sorted(samples.begin(), samples.end());
    const double minimum = *std::min_element(sorted.begin(), sorted.end());
    const double lower = quantile_of(sorted, 0.25), upper = quantile_of(sorted, 0.75);
    return {quantile_of(sorted, 0.5), minimum, upper - lower, samples.size()};
}

/// An interval that holds a quantity with some confidence.
struct interval {
    double low = 0;
    double high = 0;

    friend bool operator==(const interval&, const interval&) = default;
};

namespace detail {

/// splitmix64: the same sequence on every machine.
struct splitmix {
    std::uint64_t state;
    std::uint64_t operator()() {
        std::uint64_t z = (state += 0x9E37'79B9'7F4A'7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBull;
        return z ^ (z >> 31);
    }
    /// A number below `bound`, every one as likely up to 2^-32. Precondition: 0 < bound < 2^32.
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(((*this)() >> 32) * static_cast<std::uint64_t>(bound) >> 32); }
    /// A number in [0, 1).
    double unit() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }
};

}  // namespace detail

/// The percentile bootstrap interval of median(a) / median(b) (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter
/// 13): both sets are drawn anew with replacement `draws` times, and the interval holds the middle share `confidence` of the ratios.
/// Deterministic for a seed. {0, 0} where a set is empty.
[[nodiscard]] inline interval bootstrap_ratio(std::span<const double> a, std::span<const double> b, double confidence = 0.95,
                                              std::size_t draws = 2000, std::uint64_t seed = 1) {
    if (a.empty() || b.empty() || draws == 0) return {};
    detail::splitmix random{seed};
    std::vector<double> of_a(a.size()), of_b(b.size()), ratios(draws);
    for (double& ratio : ratios) {
        for (double& x : of_a) x = a[random.below(a.size())];
        for (double& x : of_b) x = b[random.below(b.size())];
        ratio = quantile_of(of_a, 0.5) / quantile_of(of_b, 0.5);
    }
    const double tail = (1 - confidence) / 2;
    const double low = quantile_of(ratios, tail);
    return {low, quantile_of(ratios, 1 - tail)};
}

/// The same for samples taken in pairs, one of each per round: rounds are drawn whole, so that what slows a whole round cancels out.
/// {0, 0} where the sets are empty or of unequal size.
[[nodiscard]] inline interval bootstrap_paired_ratio(std::span<const double> a, std::span<const double> b, double confidence = 0.95,
                                                     std::size_t draws = 2000, std::uint64_t seed = 1) {
    if (a.empty() || a.size() != b.size() || draws == 0) return {};
    detail::splitmix random{seed};
    std::vector<double> of_a(a.size()), of_b(b.size()), ratios(draws);
    for (double& ratio : ratios) {
        for (std::size_t i = 0; i < a.size(); ++i) {
            const std::size_t round = random.below(a.size());
            of_a[i] = a[round];
            of_b[i] = b[round];
        }
        ratio = quantile_of(of_a, 0.5) / quantile_of(of_b, 0.5);
    }
    const double tail = (1 - confidence) / 2;
    const double low = quantile_of(ratios, tail);
    return {low, quantile_of(ratios, 1 - tail)};
}

}  // namespace inlay

#endif
