// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/copy_runs.hpp>

#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("runs are copied to their places, long ones in pieces, and nothing beside them") {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{5}, (std::size_t{40} << 10) + 3}) {
        const std::size_t runs = 3, to_step = bytes + 7, from_step = bytes + 2;
        std::vector<std::byte> from(runs * from_step), to(runs * to_step, std::byte{255});
        for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i % 250);
        simd::copy_runs({}, to.data(), to_step, from.data(), from_step, runs, bytes);
        std::vector<std::byte> expected(to.size(), std::byte{255});
        for (std::size_t r = 0; r < runs; ++r)
            for (std::size_t i = 0; i < bytes; ++i) expected[r * to_step + i] = from[r * from_step + i];
        CHECK(to == expected);
    }
}
