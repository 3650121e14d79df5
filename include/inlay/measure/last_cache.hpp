// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_LAST_CACHE_HPP
#define INLAY_MEASURE_LAST_CACHE_HPP

#include <algorithm>
#include <cstdint>

#include <unistd.h>

namespace inlay {

/// The bytes of the largest cache of this machine; 0 where the system does not say.
[[nodiscard]] inline std::uint64_t last_cache_bytes() {
    long largest = 0;
#if defined(_SC_LEVEL4_CACHE_SIZE)
    for (const int level : {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL4_CACHE_SIZE})
        largest = std::max(largest, ::sysconf(level));
#endif
    return static_cast<std::uint64_t>(largest);
}

/// How much other memory makes all caches forget: what the last one holds, from 128 MiB, which few have, to 512 MiB, which take some
/// hundredths of a second to read.
[[nodiscard]] inline std::uint64_t bytes_that_fill_caches() {
    return std::clamp(last_cache_bytes(), std::uint64_t{128} << 20, std::uint64_t{512} << 20);
}

}  // namespace inlay

#endif
