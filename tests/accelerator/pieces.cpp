// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/accelerator/pieces.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("pieces of an extent are whole ones and a rest, and add up to it") {
    for (std::int64_t whole = 1; whole < 40; ++whole)
        for (std::int64_t size = 1; size < 45; ++size) {
            std::int64_t sum = 0, kinds = 0;
            each_piece(whole, size, [&](std::int64_t piece, std::int64_t count) {
                CHECK(piece <= size);
                sum += piece * count;
                ++kinds;
            });
            CHECK(sum == whole);
            CHECK(kinds == (whole > size && whole % size != 0 ? 2 : 1));
        }
    CHECK(halves_of(1) == std::vector<std::int64_t>{1});
    CHECK(halves_of(14) == std::vector<std::int64_t>{14, 7, 4, 2, 1});
}
