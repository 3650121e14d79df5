// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_THREAD_LIMIT_HPP
#define INLAY_BACKEND_THREAD_LIMIT_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>

#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/executor.hpp>

namespace inlay::detail {

/// At most so many threads of another executor: as many tasks of its own take the others one after the other.
struct limited_executor {
    executor_ref all;
    std::size_t limit = 1;

    [[nodiscard]] std::size_t threads() const { return limit; }
    template <class Task>
    void run(std::size_t count, Task&& task) {
        std::atomic<std::size_t> next{0};
        all.run(std::min(count, limit), [&](std::size_t) {
            for (std::size_t i = next.fetch_add(1, std::memory_order_relaxed); i < count; i = next.fetch_add(1, std::memory_order_relaxed))
                task(i);
        });
    }
};

/// Runs a kernel on at most so many of the executor's threads: its workspace is made for no more.
[[nodiscard]] inline kernel with_thread_limit(kernel work, std::size_t threads) {
    struct state {
        kernel work;
        std::size_t threads;

        [[nodiscard]] bool run(const run_arguments& a) const {
            if (a.executor.threads() <= threads) return work(a);
            limited_executor few{a.executor, threads};
            run_arguments own = a;
            own.executor = executor_ref(few);
            return work(own);
        }
    };
    const std::size_t workspace = work.workspace_bytes;
    kernel_facts facts = work.facts();
    kernel limited(state{std::move(work), threads}, workspace);
    limited.facts() = std::move(facts);
    return limited;
}

}  // namespace inlay::detail

#endif
