// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_THREAD_COUNT_HPP
#define INLAY_BACKEND_ONEDNN_THREAD_COUNT_HPP

#include <inlay/backend/onednn/memory.hpp>
#include <inlay/runtime/openmp.hpp>

namespace inlay::detail {

/// While it lives, parallel regions that the calling thread opens have this many threads; then what was before stands again.
///
/// oneDNN splits its work by the count that OpenMP reports when a primitive is made and again when it runs, so both stand under a scope
/// of the same count. The setting belongs to the calling thread alone. OpenMP keeps a pool of threads per thread that opens
/// parallel regions; how long its idle threads spin is decided by the environment variable OMP_WAIT_POLICY at the start of the process
/// (`passive` where other pools share the cores).
class onednn_thread_scope {
public:
    onednn_thread_scope(const openmp_runtime& openmp, int threads) : openmp_(openmp) {
        if (!openmp_.complete()) return;
        before_ = openmp_.get();
        if (before_ != threads) openmp_.set(threads);
        changed_ = before_ != threads;
    }
    explicit onednn_thread_scope(int threads) : onednn_thread_scope(openmp_runtime::loaded(), threads) {}
    ~onednn_thread_scope() {
        if (changed_) openmp_.set(before_);
    }
    onednn_thread_scope(const onednn_thread_scope&) = delete;
    onednn_thread_scope& operator=(const onednn_thread_scope&) = delete;

private:
    openmp_runtime openmp_;
    int before_ = 0;
    bool changed_ = false;
};

}  // namespace inlay::detail

#endif
