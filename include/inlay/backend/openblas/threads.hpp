// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_OPENBLAS_THREADS_HPP
#define INLAY_BACKEND_OPENBLAS_THREADS_HPP

#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <vector>

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

    /// Whether OpenBLAS has memory to work in on so many threads. It takes 128 MiB of addresses for each, keeps them, and tries for ever
    /// where the system has none; so the first product of a process is one that is known to have them.
    [[nodiscard]] static bool has_room(int threads) {
        constexpr std::size_t each = (std::size_t{128} << 20) + (std::size_t{1} << 16);
        const std::lock_guard<std::mutex> lock(shared().room);
        if (threads <= shared().rooms) return true;
        if (!can_allocate(each * static_cast<std::size_t>(threads - shared().rooms))) return false;
        if (shared().rooms == 0) {
            constexpr int side = 128;  // smaller products do without that memory
            std::vector<float> numbers(std::size_t{3} * side * side, 0.0f);
            float* const a = numbers.data();
            const openblas_threads one(1);
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, side, side, side, 1.0f, a, side, a + side * side, side, 0.0f,
                        a + 2 * side * side, side);
        }
        shared().rooms = threads;
        return true;
    }

private:
    static bool can_allocate(std::size_t bytes) {
        void* volatile memory = std::malloc(bytes);  // volatile, since compilers leave out memory that nothing reads
        const bool is_there = memory != nullptr;
        std::free(memory);
        return is_there;
    }
    struct state {
        std::mutex guard;
        std::condition_variable is_free;
        std::size_t users = 0;
        int number = 0, before = 0;
        std::mutex room;
        int rooms = 0;  // threads for which there is memory
    };
    static state& shared() {
        static state of_process;
        return of_process;
    }
};

}  // namespace inlay::detail

#endif
