// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_EXECUTOR_HPP
#define INLAY_CORE_EXECUTOR_HPP

#include <concepts>
#include <cstddef>

namespace inlay {

namespace detail {
struct any_task {
    void operator()(std::size_t) const {}
};
}  // namespace detail

/// Runs `task(0) ... task(count - 1)`, in any order and on any threads, and returns when all have ended. `threads()` is how many
/// of them may run at one time. Tasks may not throw.
///
/// Models: `serial_executor` here; `tbb_executor` in `runtime/tbb.hpp`.
template <class E>
concept executor = requires(E& e, std::size_t count, detail::any_task task) {
    { e.threads() } -> std::convertible_to<std::size_t>;
    e.run(count, task);
};

/// Runs tasks one after the other on the calling thread.
struct serial_executor {
    [[nodiscard]] static constexpr std::size_t threads() { return 1; }

    template <class Task>
    static void run(std::size_t count, Task&& task) {
        for (std::size_t i = 0; i < count; ++i) task(i);
    }
};

}  // namespace inlay

#endif
