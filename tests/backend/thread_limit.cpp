// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/thread_limit.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

/// Says that it has threads, runs the tasks on one, last first, and counts them.
struct counting_executor {
    std::size_t count_of_threads = 1, runs = 0;

    [[nodiscard]] std::size_t threads() const { return count_of_threads; }
    template <class Task>
    void run(std::size_t count, Task&& task) {
        runs += count;
        for (std::size_t i = count; i-- > 0;) task(i);
    }
};

struct seeing {
    std::size_t* threads;
    [[nodiscard]] bool run(const run_arguments& a) const {
        *threads = a.executor.threads();
        return true;
    }
};

}  // namespace

static_assert(executor<detail::limited_executor>);

TEST_CASE("a limited executor says that it has fewer threads, and runs everything") {
    counting_executor many{4};
    detail::limited_executor two{executor_ref(many), 2};
    CHECK(executor_ref(two).threads() == 2);
    std::vector<int> done(5, 0);
    executor_ref(two).run(5, [&](std::size_t i) { ++done[i]; });
    CHECK(done == std::vector<int>(5, 1));
}

TEST_CASE("a kernel under a limit sees no more threads than that") {
    std::size_t seen = 0;
    const kernel k = detail::with_thread_limit(kernel(seeing{&seen}, 24), 2);
    CHECK(k.workspace_bytes == 24);
    for (const std::size_t threads : {1u, 2u, 5u}) {
        counting_executor many{threads};
        run_arguments a;
        a.executor = executor_ref(many);
        CHECK(k(a));
        CHECK(seen == std::min<std::size_t>(threads, 2));
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
        const kernel limited = detail::with_thread_limit(kernel(asking{&seen, &threads}, 128), most);
        CHECK(limited.workspace_bytes == 128);
        counting_executor e{4};
        run_arguments a;
        a.executor = executor_ref(e);
        CHECK(limited(a));
        CHECK(threads == std::min<std::size_t>(most, 4));
        CHECK(seen == std::vector<int>(50, 1));
        CHECK(e.runs == (most == 1 ? 0 : most < 4 ? most : 50));
    }
}
