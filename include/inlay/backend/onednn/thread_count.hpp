// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_THREAD_COUNT_HPP
#define INLAY_BACKEND_ONEDNN_THREAD_COUNT_HPP

#include <dlfcn.h>

#include <inlay/backend/onednn/memory.hpp>

namespace inlay::detail {

/// The OpenMP runtime that a process has already loaded, found by name, so that a program with this back end need neither be compiled
/// with -fopenmp nor linked with an OpenMP library of its own choice.
struct onednn_openmp {
    int (*get)() = nullptr;
    void (*set)(int) = nullptr;

    [[nodiscard]] static onednn_openmp loaded() {
        onednn_openmp found;
        found.get = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_max_threads"));
        found.set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
        return found;
    }
    [[nodiscard]] bool complete() const { return get != nullptr && set != nullptr; }
};

/// While it lives, parallel regions that the calling thread opens have this many threads; then what was before stands again.
///
/// oneDNN splits its work by the count that OpenMP reports when a primitive is made and again when it runs, so both stand under a scope
/// of the same count. The setting belongs to the calling thread alone. OpenMP keeps a pool of threads per thread that opens
/// parallel regions; how long its idle threads spin is decided by the environment variable OMP_WAIT_POLICY at the start of the process
/// (`passive` where other pools share the cores).
class onednn_thread_scope {
public:
    onednn_thread_scope(const onednn_openmp& openmp, int threads) : openmp_(openmp) {
        if (!openmp_.complete()) return;
        before_ = openmp_.get();
        if (before_ != threads) openmp_.set(threads);
        changed_ = before_ != threads;
    }
    explicit onednn_thread_scope(int threads) : onednn_thread_scope(onednn_openmp::loaded(), threads) {}
    ~onednn_thread_scope() {
        if (changed_) openmp_.set(before_);
    }
    onednn_thread_scope(const onednn_thread_scope&) = delete;
    onednn_thread_scope& operator=(const onednn_thread_scope&) = delete;

private:
    onednn_openmp openmp_;
    int before_ = 0;
    bool changed_ = false;
};

}  // namespace inlay::detail

#endif
