// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/sharing.hpp>

#include <algorithm>
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

TEST_CASE("a kernel works on no more threads than it may, and all of its tasks are run") {
    struct asking {
        std::vector<int>* seen;
        std::size_t* threads;
        [[nodiscard]] bool run(const run_arguments& a) const {
            *threads = a.executor.threads();
            a.executor.run(seen->size(), [&](std::size_t i) { ++(*seen)[i]; });
            return true;
        }
    };
    for (const std::size_t most : {1u, 2u, 4u, 9u}) {
        CAPTURE(most);
        std::vector<int> seen(50, 0);
        std::size_t threads = 0;
        const kernel limited = with_most_threads(kernel(asking{&seen, &threads}, 128), most);
        CHECK(limited.workspace_bytes == 128);
        counting_executor e;
        run_arguments a;
        a.executor = executor_ref(e);
        CHECK(limited(a));
        CHECK(threads == std::min<std::size_t>(most, 4));
        CHECK(seen == std::vector<int>(50, 1));
        CHECK(e.runs == (most == 1 ? 0 : most < 4 ? most : 50));
    }
}
