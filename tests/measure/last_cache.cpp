// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/last_cache.hpp>

#include <cstdint>

#include <doctest/doctest.h>

TEST_CASE("what fills the caches is as much as the last one holds, within bounds") {
    const std::uint64_t cache = inlay::last_cache_bytes(), fill = inlay::bytes_that_fill_caches();
    CHECK(fill >= std::uint64_t{128} << 20);
    CHECK(fill <= std::uint64_t{512} << 20);
    if (cache >= std::uint64_t{128} << 20 && cache <= std::uint64_t{512} << 20) CHECK(fill == cache);
    // Where the system says anything, it is no small number.
    CHECK((cache == 0 || cache >= std::uint64_t{64} << 10));
}
