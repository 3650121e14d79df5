// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/accelerator/best_cut.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("the best of bounded cuts is found, and those that cannot win are not timed") {
    std::mt19937 random(3);
    std::size_t saved = 0;
    for (int i = 0; i < 300; ++i) {
        std::vector<bounded_cut<std::size_t>> all;
        std::vector<std::int64_t> cycles;
        for (std::size_t c = 0; c < 1 + random() % 12; ++c) {
            const auto bound = static_cast<std::int64_t>(random() % 50);
            all.push_back({bound, c});
            cycles.push_back(bound + static_cast<std::int64_t>(random() % 30));
        }
        const auto time = [&](std::size_t c) { return outcome<std::int64_t>(cycles[c]); };
        const auto chosen = best_cut(all, all.size(), time);
        REQUIRE(chosen);
        CHECK(chosen->cycles == *std::min_element(cycles.begin(), cycles.end()));
        CHECK(cycles[chosen->best] == chosen->cycles);
        CHECK(chosen->bound == chosen->cycles);
        CHECK(chosen->all == all.size());
        saved += chosen->all - chosen->timed;
        const auto one = best_cut(all, 1, time);
        REQUIRE(one);
        CHECK(one->timed == 1);
        CHECK(one->bound <= chosen->cycles);
    }
    CHECK(saved > 100);
    const auto failed =
        best_cut(std::vector<bounded_cut<int>>{{1, 1}}, 1, [](int) { return outcome<std::int64_t>(error{"it waits for ever"}); });
    CHECK(failed.failure().message == "it waits for ever");
}
