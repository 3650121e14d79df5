// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_KERNEL_SHARE_WORK_HPP
#define INLAY_CODEGEN_KERNEL_SHARE_WORK_HPP

#include <algorithm>
#include <cstddef>

#include <inlay/core/executor.hpp>

namespace inlay {

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

}  // namespace inlay

#endif
