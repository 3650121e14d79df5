// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/sample/sample_places.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

using inlay::sample_places;

TEST_CASE("small tensors are sampled whole, large ones in every stretch and at every border [ops.sample.places]") {
    CHECK(sample_places({}, 8, 1) == std::vector<std::int64_t>{0});
    CHECK(sample_places({3, 0}, 8, 1).empty());
    CHECK(sample_places({2, 3}, 8, 1).size() == 6);
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
        const std::vector<std::int64_t> places = sample_places({7, 64, 33, 35}, 256, seed);
        CHECK(std::is_sorted(places.begin(), places.end()));
        CHECK(std::adjacent_find(places.begin(), places.end()) == places.end());
        const std::int64_t all = 7 * 64 * 33 * 35;
        CHECK(places.front() == 0);
        CHECK(places.back() == all - 1);
        // Each of 256 stretches has an element, each place of a tail of 16 too.
        for (std::int64_t k = 0; k < 256; ++k)
            CHECK(std::any_of(places.begin(), places.end(),
                              [&](std::int64_t at) { return at >= all * k / 256 && at < all * (k + 1) / 256; }));
        for (std::int64_t tail = 0; tail < 16; ++tail)
            CHECK(std::any_of(places.begin(), places.end(), [&](std::int64_t at) { return at % 35 == 34 - tail; }));
        for (const std::int64_t channel : {0, 63})
            CHECK(std::any_of(places.begin(), places.end(), [&](std::int64_t at) { return at / (33 * 35) % 64 == channel; }));
    }
    CHECK(sample_places({1000, 1000}, 64, 3) == sample_places({1000, 1000}, 64, 3));
    CHECK(sample_places({1000, 1000}, 64, 3) != sample_places({1000, 1000}, 64, 4));
}
