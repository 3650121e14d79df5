// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_OPENMP_HPP
#define INLAY_RUNTIME_OPENMP_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>

#include <dlfcn.h>

#include <inlay/core/executor.hpp>

namespace inlay {

/// The OpenMP runtime that a process has already loaded, for instance with oneDNN, found by name: a program need neither be compiled
/// with -fopenmp nor linked with an OpenMP library of its own choice. `parallel` is the entry point that GCC's libgomp and LLVM's libomp
/// share.
///
/// How long idle threads spin before they sleep is read by the runtime once, when it is loaded (GOMP_SPINCOUNT, OMP_WAIT_POLICY). Where
/// other pools share the cores they should not spin long.
struct openmp_runtime {
    int (*get)() = nullptr;
    void (*set)(int) = nullptr;
    void (*parallel)(void (*body)(void*), void* state, unsigned threads, unsigned flags) = nullptr;

    [[nodiscard]] static openmp_runtime loaded() {
        openmp_runtime found;
        found.get = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_max_threads"));
        found.set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
        found.parallel = reinterpret_cast<void (*)(void (*)(void*), void*, unsigned, unsigned)>(dlsym(RTLD_DEFAULT, "GOMP_parallel"));
        return found;
    }
    [[nodiscard]] bool complete() const { return get != nullptr && set != nullptr && parallel != nullptr; }
};

/// An executor on the threads of the loaded OpenMP runtime: with a library that runs on them, one pool serves both. Without a runtime it
/// runs tasks one after the other. Regions inside regions run on one thread, as OpenMP's default has it.
class openmp_executor {
public:
    explicit openmp_executor(std::size_t threads, openmp_runtime runtime = openmp_runtime::loaded())
        : runtime_(runtime), threads_(runtime.complete() ? std::max<std::size_t>(threads, 1) : 1) {}

    [[nodiscard]] std::size_t threads() const { return threads_; }

    template <class Task>
    void run(std::size_t count, Task&& task) {
        if (count < 2 || threads_ < 2) return serial_executor::run(count, task);
        struct shared {
            Task& task;
            std::size_t count;
            std::atomic<std::size_t> next{0};
        } state{task, count, {}};
        const auto body = [](void* of) {
            shared& s = *static_cast<shared*>(of);
            for (std::size_t i; (i = s.next.fetch_add(1, std::memory_order_relaxed)) < s.count;) s.task(i);
        };
        runtime_.parallel(body, &state, static_cast<unsigned>(std::min(threads_, count)), 0);
    }

private:
    openmp_runtime runtime_;
    std::size_t threads_;
};

static_assert(executor<openmp_executor>);

}  // namespace inlay

#endif
