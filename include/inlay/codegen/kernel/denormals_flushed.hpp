// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_KERNEL_DENORMALS_FLUSHED_HPP
#define INLAY_CODEGEN_KERNEL_DENORMALS_FLUSHED_HPP

#include <cstddef>
#include <cstdint>
#include <utility>

#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/executor.hpp>

namespace inlay {

/// As long as it lives, its thread's vector instructions take floats too small for a normal exponent for zero, and give zero for them: many
/// processors need a hundred cycles for each otherwise. The state before comes back at the end. Does nothing where neither x86's MXCSR nor
/// AArch64's FPCR is there.
class denormals_flushed {
public:
    denormals_flushed() : before_(read()) { write(before_ | both); }
    ~denormals_flushed() { write(before_); }
    denormals_flushed(const denormals_flushed&) = delete;
    denormals_flushed& operator=(const denormals_flushed&) = delete;

    /// Calls a function in the state before. To be called by the thread that this was made by.
    template <class F>
    void lifted(F&& f) const {
        write(before_);
        f();
        write(before_ | both);
    }

private:
#if defined(__SSE__)
    static constexpr std::uint64_t both = 0x8040;  // results (FTZ) and operands (DAZ)
    static std::uint64_t read() { return __builtin_ia32_stmxcsr(); }
    static void write(std::uint64_t state) { __builtin_ia32_ldmxcsr(static_cast<unsigned>(state)); }
#elif defined(__aarch64__)
    static constexpr std::uint64_t both = std::uint64_t{1} << 24;
    static std::uint64_t read() {
        std::uint64_t state;
        asm volatile("mrs %0, fpcr" : "=r"(state));
        return state;
    }
    static void write(std::uint64_t state) { asm volatile("msr fpcr, %0" : : "r"(state)); }
#else
    static constexpr std::uint64_t both = 0;
    static std::uint64_t read() { return 0; }
    static void write(std::uint64_t) {}
#endif

    std::uint64_t before_;
};

/// Another executor whose tasks flush denormals. It does not itself run so: executors keep the state of who calls them first.
struct flushing_executor {
    executor_ref all;
    const denormals_flushed* caller;

    [[nodiscard]] std::size_t threads() const { return all.threads(); }
    template <class Task>
    void run(std::size_t count, Task&& task) {
        caller->lifted([&] {
            all.run(count, [&](std::size_t i) {
                const denormals_flushed now;
                task(i);
            });
        });
    }
};

/// The state of a kernel that runs another one so, on whatever threads its tasks run.
template <class State>
struct flushing {
    State inner;

    [[nodiscard]] bool run(const run_arguments& a) const {
        const denormals_flushed now;
        flushing_executor everywhere{a.executor, &now};
        run_arguments own = a;
        own.executor = executor_ref(everywhere);
        return inner.run(own);
    }
};

/// A kernel that runs so, as another one is.
[[nodiscard]] inline kernel with_denormals_flushed(kernel work) {
    struct state {
        kernel work;

        [[nodiscard]] bool run(const run_arguments& a) const { return work(a); }
    };
    const std::size_t workspace = work.workspace_bytes;
    kernel_facts facts = work.facts();
    kernel made(flushing<state>{{std::move(work)}}, workspace);
    made.facts() = std::move(facts);
    return made;
}

}  // namespace inlay

#endif
