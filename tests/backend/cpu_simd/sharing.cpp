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

namespace {
struct counting_executor {
    std::size_t runs = 0;
    [[nodiscard]] static std::size_t threads() { return 4; }
    template <class Task>
    void run(std::size_t count, Task&& task) {
        runs += count;
        for (std::size_t i = count; i-- > 0;) task(i);
    }
};
}  // namespace

TEST_CASE("little work stays on the caller's thread") {
    counting_executor e;
    CHECK(tasks_for(executor_ref(e), 100, 1000) == 1);
    CHECK(tasks_for(executor_ref(e), 1, 1e9) == 1);
    CHECK(tasks_for(executor_ref(), 100, 1e9) == 1);
    share(executor_ref(e), 10, 10, [](std::size_t, std::size_t) {});
    CHECK(e.runs == 0);
}

TEST_CASE("tasks follow the size of the work, and their ranges make up all of it") {
    counting_executor e;
    CHECK(tasks_for(executor_ref(e), 100, 5e4) == 5);
    CHECK(tasks_for(executor_ref(e), 100, 1e9) == 32);
    CHECK(tasks_for(executor_ref(e), 7, 1e9) == 7);
    for (const std::size_t units : {2u, 7u, 31u, 33u, 1000u}) {
        std::vector<int> seen(units, 0);
        share(executor_ref(e), units, 1e7, [&](std::size_t begin, std::size_t end) {
            for (std::size_t u = begin; u < end; ++u) ++seen[u];
        });
        CHECK(seen == std::vector<int>(units, 1));
    }
}

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
