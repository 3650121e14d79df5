// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_HAND_OVER_HPP
#define INLAY_MEASURE_HAND_OVER_HPP

#include <algorithm>
#include <chrono>  // a leaf: only those who measure include it
#include <cstddef>
#include <vector>

#include <inlay/core/executor.hpp>
#include <inlay/cost/statistics.hpp>

namespace inlay {

/// Seconds that it costs to leave the threads of one executor for those of another and to come back, beyond what the work takes: threads
/// that slept are woken, and those that still spin hold a core. The median over `rounds` steps of some microseconds on each thread, in
/// turns on both, less the medians of such steps one after the other on either. About 0.3 ms a round.
template <executor Ours, executor Theirs>
[[nodiscard]] double hand_over_seconds(Ours& ours, Theirs& theirs, std::size_t rounds = 100) {
    using clock = std::chrono::steady_clock;
    const auto step = [](auto& on) {
        on.run(static_cast<std::size_t>(on.threads()), [](std::size_t) {
            const auto start = clock::now();
            while (clock::now() - start < std::chrono::microseconds(20)) {}
        });
    };
    const auto median = [&](auto&& run) {
        std::vector<double> seconds;
        for (std::size_t r = 0; r < rounds; ++r) {
            const auto start = clock::now();
            run();
            seconds.push_back(std::chrono::duration<double>(clock::now() - start).count());
        }
        return quantile_of(seconds, 0.5);
    };
    if (rounds == 0) return 0;
    const double alone = median([&] { step(ours), step(ours); }) / 2 + median([&] { step(theirs), step(theirs); }) / 2;
    return std::max(0.0, median([&] { step(ours), step(theirs); }) - alone);
}

}  // namespace inlay

#endif
