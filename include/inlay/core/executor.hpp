// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_EXECUTOR_HPP
#define INLAY_CORE_EXECUTOR_HPP

#include <concepts>
#include <cstddef>
#include <type_traits>

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

/// An executor behind one indirect call: what crosses into emitted kernels. Refers to the executor, which must outlive it.
class executor_ref {
public:
    executor_ref() = default;

    template <executor E>
    requires(!std::same_as<E, executor_ref>) executor_ref(E& e)
        : executor_(&e), threads_(e.threads()), run_([](void* self, std::size_t count, void (*task)(void*, std::size_t), void* state) {
              static_cast<E*>(self)->run(count, [task, state](std::size_t i) { task(state, i); });
          }) {}

    [[nodiscard]] std::size_t threads() const { return threads_; }

    template <class Task>
    void run(std::size_t count, Task&& task) const {
        if (run_ == nullptr || count < 2) {
            for (std::size_t i = 0; i < count; ++i) task(i);
            return;
        }
        run_(
            executor_, count, [](void* state, std::size_t i) { (*static_cast<std::remove_reference_t<Task>*>(state))(i); }, &task);
    }

private:
    void* executor_ = nullptr;
    std::size_t threads_ = 1;
    void (*run_)(void*, std::size_t, void (*)(void*, std::size_t), void*) = nullptr;
};

}  // namespace inlay

#endif
