// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_TBB_HPP
#define INLAY_RUNTIME_TBB_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <inlay/core/executor.hpp>

namespace inlay {

/// An executor of oneTBB's: an arena of a given number of threads, the calling one included. One object serves enumerating, searching
/// and running; it may be used from several threads, and a task may run tasks.
///
/// A thread that sleeps takes some 30 microseconds to wake, and longer on a virtual machine. So behind each run the others wait actively
/// for the next one, 200 microseconds at most, which is a step's worth. One that finds its core taken by others meanwhile has all of them
/// sleep at once for a while: to wait actively would use up the time that they are given.
class tbb_executor {
public:
    explicit tbb_executor(std::size_t threads) : threads_(std::max<std::size_t>(threads, 1)), arena_(static_cast<int>(threads_)) {}
    tbb_executor(tbb_executor&&) = delete;
    // What nobody has come to yet is run here: a task that outlives the process's end is never freed.
    ~tbb_executor() noexcept {
        waiting_.runs.fetch_add(1, std::memory_order_release);
        arena_.execute([&] { waits_.wait(); });
    }

    [[nodiscard]] std::size_t threads() const { return threads_; }

    template <class Task>
    void run(std::size_t count, Task&& task) {
        if (count < 2 || threads_ < 2) return serial_executor::run(count, task);
        const std::uint64_t now = waiting_.runs.fetch_add(1, std::memory_order_release) + 1;
        arena_.execute([&] {
            tbb::parallel_for(
                tbb::blocked_range<std::size_t>(0, count, 1),
                [&](const tbb::blocked_range<std::size_t>& range) {
                    for (std::size_t i = range.begin(); i != range.end(); ++i) task(i);
                },
                tbb::simple_partitioner());
        });
        if (now < waiting_.asleep_until.load(std::memory_order_relaxed)) return;
        for (std::size_t i = std::min(count, threads_); i > 1; --i)
            arena_.enqueue(waits_.defer([&waiting = waiting_, now] { waiting.wait(now); }));
    }

private:
    struct waiting_threads {
        std::atomic<std::uint64_t> runs{0}, asleep_until{0};  // counted in runs

        /// Until a run later than this one begins, or the time is over.
        void wait(std::uint64_t run) {
            using clock = std::chrono::steady_clock;
            constexpr auto longest = std::chrono::microseconds(200), held_up = std::chrono::microseconds(500);
            constexpr std::uint64_t runs_asleep = 200;
            const auto begin = clock::now();
            for (auto last = begin; runs.load(std::memory_order_acquire) == run;) {
                const auto now = clock::now();
                if (now - last > held_up) return asleep_until.store(run + runs_asleep, std::memory_order_relaxed);
                if (now - begin > longest) return;
                last = now;
            }
        }
    };

    std::size_t threads_;
    waiting_threads waiting_;
    tbb::task_arena arena_;
    tbb::task_group waits_;
};

static_assert(executor<tbb_executor>);

}  // namespace inlay

#endif
