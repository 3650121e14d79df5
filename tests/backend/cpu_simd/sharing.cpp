// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/sharing.hpp>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::simd;

TEST_CASE("each task that runs has a place of its own, and a place that is free again is given again") {
    place_taker taker(2);
    {
        const place_taker::place first = taker.take();
        const place_taker::place second = taker.take();
        CHECK(first.number() == 0);
        CHECK(second.number() == 1);
    }
    CHECK(taker.take().number() == 0);

    // More threads than places: no two tasks ever have the same one.
    place_taker few(3);
    std::atomic<int> inside[3]{};
    std::atomic<bool> shared{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < 5; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 1000; ++i) {
                const place_taker::place mine = few.take();
                if (inside[mine.number()].fetch_add(1) != 0) shared = true;
                inside[mine.number()].fetch_sub(1);
            }
        });
    for (std::thread& t : threads) t.join();
    CHECK_FALSE(shared);

    // The last of the places there can be.
    place_taker many(place_taker::most);
    std::vector<std::unique_ptr<place_taker::place>> all;
    for (std::size_t i = 0; i < place_taker::most; ++i) {
        all.emplace_back(new place_taker::place(many));
        CHECK(all.back()->number() == i);
    }
}
