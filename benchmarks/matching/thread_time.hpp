// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BENCHMARKS_MATCHING_THREAD_TIME_HPP
#define INLAY_BENCHMARKS_MATCHING_THREAD_TIME_HPP

#include <algorithm>
#include <cstddef>
#include <vector>

#include <time.h>

namespace bench {

/// Processor time of this thread, in seconds.
inline double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Times of something done again and again, in ns for each of `things`.
struct spread {
    double least = 0, median = 0, worst = 0;
};
template <class Work>
spread timed(std::size_t repeats, std::size_t things, Work&& work) {
    std::vector<double> taken;
    for (std::size_t i = 0; i < repeats; ++i) {
        const double start = thread_seconds();
        work();
        taken.push_back((thread_seconds() - start) * 1e9 / static_cast<double>(things));
    }
    std::sort(taken.begin(), taken.end());
    return {taken.front(), taken[taken.size() / 2], taken.back()};
}

}  // namespace bench

#endif
