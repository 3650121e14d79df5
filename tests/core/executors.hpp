// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_CORE_EXECUTORS_HPP
#define INLAY_TESTS_CORE_EXECUTORS_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include <inlay/core/executor.hpp>

namespace inlay_test {

/// Says that it has threads, and runs the tasks on one, last first: what is shared out may not lean on an order.
struct backwards_executor {
    [[nodiscard]] static std::size_t threads() { return 3; }
    template <class Task>
    static void run(std::size_t count, Task&& task) {
        for (std::size_t i = count; i-- > 0;) task(i);
    }
};

/// An executor whose threads a thread sanitizer sees begin and end.
struct thread_executor {
    std::size_t count_of_threads = 3;

    [[nodiscard]] std::size_t threads() const { return count_of_threads; }
    template <class Task>
    void run(std::size_t count, Task&& task) {
        std::atomic<std::size_t> next = 0;
        const auto work = [&] {
            for (std::size_t i; (i = next.fetch_add(1)) < count;) task(i);
        };
        std::vector<std::thread> others;
        for (std::size_t t = 1; t < std::min(count, count_of_threads); ++t) others.emplace_back(work);
        work();
        for (std::thread& t : others) t.join();
    }
};

static_assert(inlay::executor<backwards_executor> && inlay::executor<thread_executor>);

}  // namespace inlay_test

#endif
