// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_KERNEL_KERNEL_HPP
#define INLAY_CODEGEN_KERNEL_KERNEL_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/codegen/kernel/work_queue.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/core/shared_handle.hpp>

namespace inlay {

/// What a kernel gets at every run: the tensors at its border in the formats that were agreed, and where to work.
struct run_arguments {
    const void* const* inputs = nullptr;  // in the order of the region's inputs; aligned to 64 bytes
    void* const* results = nullptr;       // in the order of the region's results; likewise
    std::byte* workspace = nullptr;       // `workspace_bytes` of the kernel, aligned to 64, of any content
    executor_ref executor;                // threads for kernels that have none of their own
};

/// What a kernel says of itself beside its code.
struct kernel_facts {
    /// Where not empty, one entry per result: the input whose bytes the result is (a reshape), or -1. A memory plan gives both one
    /// place, and the kernel must then leave that result alone when it finds it at that address, else copy.
    std::vector<std::int32_t> view_of;

    /// Where not empty, as long as `view_of`: from which byte of that input on the result's bytes stand there (a slice). Empty: from 0.
    std::vector<std::int64_t> view_at;

    /// Where not empty, one entry per input: from which byte on its bytes stand in the one result (a concatenation), or -1. A memory plan
    /// may have the input made there, and the kernel must then leave those bytes alone when it finds the input at that address, else copy.
    std::vector<std::int64_t> part_at;

    /// What the library chose, for people: "jit:avx512_core", "igemm 4x16".
    std::string note;
};

/// Emitted code of one region, ready to run: one indirect call, no virtual function, no allocation per run but where a call has no kernel
/// of its own (`interpreted_call` of the reference back end). Owns its state (packed weights, a library's primitives), alone or with those
/// that `share` gave. Move-only.
class kernel : public kernel_facts {
public:
    kernel() = default;

    /// Wraps a state whose `run(const run_arguments&) -> bool` does the work; false means that the library reported a failure. One that
    /// also has `start(const run_arguments&) -> bool`, which puts the same work into a device's queue, says by `queue()` which that is.
    template <class State>
    requires requires(State& s, const run_arguments& a) {
        { s.run(a) } -> std::same_as<bool>;
    }
    explicit kernel(State state, std::size_t workspace = 0)
        : workspace_bytes(workspace),
          state_(new held_state<State>(std::move(state))),
          run_([](held* h, const run_arguments& a) { return static_cast<held_state<State>*>(h)->state.run(a); }) {
        if constexpr (starts_work<State>) {
            queue_ = static_cast<held_state<State>*>(state_.get())->state.queue();
            start_ = [](held* h, const run_arguments& a) { return static_cast<held_state<State>*>(h)->state.start(a); };
        }
    }

    kernel(kernel&& other) noexcept = default;
    kernel& operator=(kernel&& other) noexcept = default;

    /// Another kernel with the same state, for another place or program. It must be one that several threads may run at once, or the
    /// owners take turns.
    [[nodiscard]] kernel share() const {
        kernel made;
        made.facts() = facts();
        made.workspace_bytes = workspace_bytes;
        made.state_ = state_;
        made.run_ = run_;
        made.queue_ = queue_;
        made.start_ = start_;
        return made;
    }

    /// Does the work, to its end. Whether it succeeded.
    [[nodiscard]] bool operator()(const run_arguments& arguments) const { return run_(state_.get(), arguments); }

    /// The queue into which `start` puts the work; none where the kernel can only be run.
    [[nodiscard]] const work_queue& queue() const { return queue_; }
    /// Precondition: there is a queue. Puts the work into it; what is at the arguments' addresses must stay until it has been waited for,
    /// but for what later work of the same queue does with it. Nothing but the arguments and the state may decide what the work is, since
    /// it may be recorded. Whether that succeeded.
    [[nodiscard]] bool start(const run_arguments& arguments) const { return start_(state_.get(), arguments); }

    explicit operator bool() const { return static_cast<bool>(state_); }

    [[nodiscard]] kernel_facts& facts() { return *this; }
    [[nodiscard]] const kernel_facts& facts() const { return *this; }

    /// Bytes of scratch memory that each run needs.
    std::size_t workspace_bytes = 0;

private:
    template <class State>
    static constexpr bool starts_work = requires(State& s, const run_arguments& a) {
        { s.start(a) } -> std::same_as<bool>;
        { s.queue() } -> std::same_as<work_queue>;
    };

    struct held : owner_count {
        void (*destroy)(held*);

        explicit held(void (*end)(held*)) : destroy(end) {}
        static void release(held* h) { h->destroy(h); }
    };
    template <class State>
    struct held_state : held {
        State state;

        explicit held_state(State of) : held([](held* h) { delete static_cast<held_state*>(h); }), state(std::move(of)) {}
    };

    shared_handle<held> state_;
    bool (*run_)(held*, const run_arguments&) = nullptr;
    bool (*start_)(held*, const run_arguments&) = nullptr;
    work_queue queue_;
};

}  // namespace inlay

#endif
