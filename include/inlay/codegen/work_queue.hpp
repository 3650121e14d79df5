// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_WORK_QUEUE_HPP
#define INLAY_CODEGEN_WORK_QUEUE_HPP

#include <concepts>

namespace inlay {

/// A device's queue of work, whatever back end has it: what kernels put into it runs in that order, while the thread that put it there goes
/// on. A handle; copies mean the same queue, which must outlive them.
class work_queue {
public:
    /// None.
    work_queue() = default;

    /// That of an object whose `wait()` returns when all that was put into the queue has ended, and gives whether nothing of it failed.
    template <class Queue>
    requires(!std::same_as<Queue, work_queue>) && requires(const Queue& q) {
        { q.wait() } -> std::same_as<bool>;
    }
    explicit work_queue(const Queue& q) : queue_(&q), wait_([](const void* of) { return static_cast<const Queue*>(of)->wait(); }) {}

    /// Precondition: there is one. Until all in it has ended. Whether nothing failed.
    [[nodiscard]] bool wait() const { return wait_(queue_); }
    /// Whether there is one.
    explicit operator bool() const { return queue_ != nullptr; }

    /// Whether both mean the same queue, or none.
    friend bool operator==(const work_queue& a, const work_queue& b) { return a.queue_ == b.queue_; }

private:
    const void* queue_ = nullptr;
    bool (*wait_)(const void*) = nullptr;
};

}  // namespace inlay

#endif
