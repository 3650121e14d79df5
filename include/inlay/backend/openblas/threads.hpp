// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_OPENBLAS_THREADS_HPP
#define INLAY_BACKEND_OPENBLAS_THREADS_HPP

#include <condition_variable>
#include <cstddef>
#include <mutex>

#include <cblas.h>

namespace inlay::detail {

/// How many threads OpenBLAS uses while this lives. The library has one number for the whole process: who asks for the same number goes
/// side by side, who asks for another one waits, and when nobody is left the number is again what it was before.
class openblas_threads {
public:
    explicit openblas_threads(int wanted) {
        std::unique_lock<std::mutex> lock(shared().guard);
        shared().is_free.wait(lock, [&] { return shared().users == 0 || shared().number == wanted; });
        if (shared().users++ != 0) return;
        shared().before = openblas_get_num_threads();
        shared().number = wanted;
        if (shared().before != wanted) openblas_set_num_threads(wanted);
    }
    openblas_threads(const openblas_threads&) = delete;
    openblas_threads& operator=(const openblas_threads&) = delete;
    ~openblas_threads() {
        const std::lock_guard<std::mutex> lock(shared().guard);
        if (--shared().users != 0) return;
        if (shared().before != shared().number) openblas_set_num_threads(shared().before);
        shared().is_free.notify_all();
    }

private:
    struct state {
        std::mutex guard;
        std::condition_variable is_free;
        std::size_t users = 0;
        int number = 0, before = 0;
    };
    static state& shared() {
        static state of_process;
        return of_process;
    }
};

}  // namespace inlay::detail

#endif
