// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_COPY_RUNS_HPP
#define INLAY_BACKEND_CPU_SIMD_COPY_RUNS_HPP

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <inlay/backend/cpu_simd/sharing.hpp>

namespace inlay::simd {

/// Copies `runs` runs of `bytes` each, which begin `to_step` and `from_step` bytes after each other; shared out over the executor's
/// threads.
inline void copy_runs(const executor_ref& executor, std::byte* to, std::size_t to_step, const std::byte* from, std::size_t from_step,
                      std::size_t runs, std::size_t bytes) {
    constexpr std::size_t most = std::size_t{16} << 10;
    const std::size_t pieces = (bytes + most - 1) / most;
    share(executor, runs * pieces, static_cast<double>(std::min(bytes, most)), [&](std::size_t begin, std::size_t end) {
        for (std::size_t u = begin; u < end; ++u) {
            const std::size_t row = u / pieces, first = u % pieces * most;
            std::memcpy(to + row * to_step + first, from + row * from_step + first, std::min(most, bytes - first));
        }
    });
}

}  // namespace inlay::simd

#endif
