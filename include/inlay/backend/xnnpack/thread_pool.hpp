// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_THREAD_POOL_HPP
#define INLAY_BACKEND_XNNPACK_THREAD_POOL_HPP

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <pthreadpool.h>

#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// A pool of threads that lives as long as a kernel that uses it; null: the calling thread works alone.
using xnnpack_pool = std::shared_ptr<pthreadpool>;

/// The pools of a configured back end and its copies, at most one for each number of threads. Pools are owned by kernels; this keeps
/// track of them only. Safe across threads.
class xnnpack_pools {
public:
    /// The pool of so many threads, made where none lives; null for one thread. Error: the system gives no threads.
    [[nodiscard]] outcome<xnnpack_pool> of(std::size_t threads) const {
        if (threads <= 1) return xnnpack_pool();
        const std::lock_guard<std::mutex> only(known_->guard);
        auto& list = known_->pools;
        list.erase(std::remove_if(list.begin(), list.end(), [](const auto& p) { return p.second.expired(); }), list.end());
        for (const auto& [count, pool] : list)
            if (count == threads)
                if (xnnpack_pool alive = pool.lock()) return alive;
        pthreadpool_t made = pthreadpool_create(threads);
        if (made == nullptr)
            return error{"the system gives XNNPACK no pool of " + std::to_string(threads) + " threads; set -threads lower"};
        xnnpack_pool pool(made, pthreadpool_destroy);
        list.emplace_back(threads, pool);
        return pool;
    }

private:
    struct state {
        std::mutex guard;
        std::vector<std::pair<std::size_t, std::weak_ptr<pthreadpool>>> pools;
    };
    std::shared_ptr<state> known_ = std::make_shared<state>();
};

}  // namespace inlay::detail

#endif
