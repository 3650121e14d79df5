// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_SHARING_HPP
#define INLAY_BACKEND_CPU_SIMD_SHARING_HPP

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <inlay/core/executor.hpp>

namespace inlay::simd {

/// How much work, in floating operations or in bytes moved, makes a task: some ten microseconds, so that handing it out costs little, and
/// threads that another program holds up leave their share to the others.
inline constexpr double worth_a_task = 1e6;

/// Into how many tasks `units` of work go, each unit of `size`. One where there is one thread or little work; else up to eight for each
/// thread, since what is stolen must be small where a thread does not run.
[[nodiscard]] inline std::size_t tasks_for(const executor_ref& executor, std::size_t units, double size) {
    if (executor.threads() < 2 || units < 2) return 1;
    const double worth = static_cast<double>(units) * size / worth_a_task;
    if (worth < 2) return 1;
    return std::min({units, executor.threads() * 8, static_cast<std::size_t>(worth)});
}

/// Calls `work(begin, end)` for ranges that make up 0 to `units`, on the executor's threads.
template <class Work>
void share(const executor_ref& executor, std::size_t units, double size, Work&& work) {
    const std::size_t tasks = tasks_for(executor, units, size);
    if (tasks < 2) return work(std::size_t{0}, units);
    executor.run(tasks, [&](std::size_t t) { work(units * t / tasks, units * (t + 1) / tasks); });
}

/// Gives each task that runs a place in a workspace that no other has meanwhile. Where tasks outnumber the places, the rest wait.
class place_taker {
public:
    static constexpr std::size_t most = 64;

    /// Precondition: `places` is 1 to `most`.
    explicit place_taker(std::size_t places) : places_(places) {}

    /// A place as long as this lives.
    class place {
    public:
        explicit place(place_taker& from) : from_(from) {
            std::uint64_t seen = from_.taken_.load(std::memory_order_relaxed);
            for (;;) {
                number_ = static_cast<std::size_t>(std::countr_one(seen));
                if (number_ >= from_.places_)
                    seen = from_.taken_.load(std::memory_order_relaxed);
                else if (from_.taken_.compare_exchange_weak(seen, seen | std::uint64_t{1} << number_, std::memory_order_acquire))
                    break;
            }
        }
        ~place() { from_.taken_.fetch_and(~(std::uint64_t{1} << number_), std::memory_order_release); }
        place(const place&) = delete;
        place& operator=(const place&) = delete;

        [[nodiscard]] std::size_t number() const { return number_; }

    private:
        place_taker& from_;
        std::size_t number_ = 0;
    };
    [[nodiscard]] place take() { return place(*this); }

private:
    std::size_t places_;
    std::atomic<std::uint64_t> taken_{0};
};

}  // namespace inlay::simd

#endif
