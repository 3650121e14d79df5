// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_TBB_HPP
#define INLAY_RUNTIME_TBB_HPP

#include <algorithm>
#include <cstddef>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <inlay/core/executor.hpp>

namespace inlay {

/// An executor of oneTBB's: an arena of a given number of threads, the calling one included. One object serves enumerating, searching
/// and running; it may be used from several threads, and a task may run tasks.
class tbb_executor {
public:
    explicit tbb_executor(std::size_t threads) : threads_(std::max<std::size_t>(threads, 1)), arena_(static_cast<int>(threads_)) {}

    [[nodiscard]] std::size_t threads() const { return threads_; }

    template <class Task>
    void run(std::size_t count, Task&& task) {
        if (count < 2 || threads_ < 2) return serial_executor::run(count, task);
        arena_.execute([&] {
            tbb::parallel_for(
                tbb::blocked_range<std::size_t>(0, count, 1),
                [&](const tbb::blocked_range<std::size_t>& range) {
                    for (std::size_t i = range.begin(); i != range.end(); ++i) task(i);
                },
                tbb::simple_partitioner());
        });
    }

private:
    std::size_t threads_;
    tbb::task_arena arena_;
};

static_assert(executor<tbb_executor>);

}  // namespace inlay

#endif
