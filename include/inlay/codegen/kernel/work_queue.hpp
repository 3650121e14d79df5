// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_KERNEL_WORK_QUEUE_HPP
#define INLAY_CODEGEN_KERNEL_WORK_QUEUE_HPP

#include <concepts>
#include <utility>

#include <inlay/core/shared_handle.hpp>

namespace inlay {

/// Work that a queue has recorded, to be done again and again at the same addresses, in one piece. Copies share it; it goes with the last.
class recorded_work {
public:
    /// Nothing: what a recording that failed gives.
    recorded_work() = default;

    /// That of an object whose `start()` puts the work into the queue, and gives whether that succeeded.
    template <class Work>
    requires(!std::same_as<Work, recorded_work>) && requires(const Work& w) {
        { w.start() } -> std::same_as<bool>;
    }
    explicit recorded_work(Work work) : work_(new held_work<Work>(std::move(work))) {}

    /// Precondition: there is some. Puts it into the queue. Whether that succeeded.
    [[nodiscard]] bool start() const { return work_->start(work_.get()); }
    explicit operator bool() const { return static_cast<bool>(work_); }

private:
    struct held : owner_count {
        bool (*start)(const held*);
        void (*destroy)(held*);

        static void release(held* h) { h->destroy(h); }
    };
    template <class Work>
    struct held_work : held {
        Work work;

        explicit held_work(Work of) : work(std::move(of)) {
            this->start = [](const held* h) { return static_cast<const held_work*>(h)->work.start(); };
            this->destroy = [](held* h) { delete static_cast<held_work*>(h); };
        }
    };

    shared_handle<held> work_;
};

/// A device's queue of work, whatever back end has it: what kernels put into it runs in that order, while the thread that put it there goes
/// on. A handle; copies mean the same queue, which must outlive them.
///
/// One that records keeps what the thread that calls puts into it, in place of doing it.
class work_queue {
public:
    /// None.
    work_queue() = default;

    /// That of an object whose `wait()` returns when all that was put into the queue has ended, and gives whether nothing of it failed. It
    /// records where it has `begin_recording()`, which gives whether it does from now on, and `end_recording()`, which gives what was
    /// recorded, or nothing.
    template <class Queue>
    requires(!std::same_as<Queue, work_queue>) && requires(const Queue& q) {
        { q.wait() } -> std::same_as<bool>;
    }
    explicit work_queue(const Queue& q) : queue_(&q), functions_(&functions_of<Queue>) {}

    /// Precondition of all of these: there is one. Until all in it has ended; whether nothing failed.
    [[nodiscard]] bool wait() const { return functions_->wait(queue_); }
    /// Whether it can record.
    [[nodiscard]] bool records() const { return functions_->begin_recording != nullptr; }
    /// Precondition: it can. Whether it does, for the thread that calls, until that calls `end_recording`.
    [[nodiscard]] bool begin_recording() const { return functions_->begin_recording(queue_); }
    /// Precondition: it does. What it has recorded; nothing where that failed.
    [[nodiscard]] recorded_work end_recording() const { return functions_->end_recording(queue_); }

    /// Whether there is one.
    explicit operator bool() const { return queue_ != nullptr; }
    /// Whether both mean the same queue, or none.
    friend bool operator==(const work_queue& a, const work_queue& b) { return a.queue_ == b.queue_; }

private:
    struct functions {
        bool (*wait)(const void*);
        bool (*begin_recording)(const void*);
        recorded_work (*end_recording)(const void*);
    };
    // Lambdas in place of these, in the initialiser below, end clang 16 by a crash.
    template <class Queue>
    static bool waited(const void* of) {
        return static_cast<const Queue*>(of)->wait();
    }
    template <class Queue>
    static bool recording_begun(const void* of) {
        return static_cast<const Queue*>(of)->begin_recording();
    }
    template <class Queue>
    static recorded_work recording_ended(const void* of) {
        return static_cast<const Queue*>(of)->end_recording();
    }
    template <class Queue>
    static constexpr functions made_for() {
        if constexpr (requires(const Queue& q) {
                          { q.begin_recording() } -> std::same_as<bool>;
                          { q.end_recording() } -> std::same_as<recorded_work>;
                      })
            return {&waited<Queue>, &recording_begun<Queue>, &recording_ended<Queue>};
        else
            return {&waited<Queue>, nullptr, nullptr};
    }
    template <class Queue>
    static constexpr functions functions_of = made_for<Queue>();

    const void* queue_ = nullptr;
    const functions* functions_ = nullptr;
};

}  // namespace inlay

#endif
