// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_POOL_HPP
#define INLAY_EXAMPLES_INLAY_POOL_HPP

#include <cstddef>
#include <optional>

#include <inlay/runtime/openmp.hpp>
#include <inlay/runtime/tbb.hpp>

namespace tool {

/// The threads that programs run on: OpenMP's where a back end has brought its runtime along, so that its kernels, ours and the
/// conversions wake the same threads; else oneTBB's.
class pool {
public:
    explicit pool(std::size_t threads) : openmp_(threads) {
        if (!inlay::openmp_runtime::loaded().complete()) tbb_.emplace(threads);
    }

    [[nodiscard]] std::size_t threads() const { return tbb_ ? tbb_->threads() : openmp_.threads(); }
    [[nodiscard]] const char* name() const { return tbb_ ? "oneTBB" : "OpenMP"; }

    template <class Task>
    void run(std::size_t count, Task&& task) {
        if (tbb_)
            tbb_->run(count, task);
        else
            openmp_.run(count, task);
    }

private:
    inlay::openmp_executor openmp_;
    std::optional<inlay::tbb_executor> tbb_;
};

static_assert(inlay::executor<pool>);

}  // namespace tool

#endif
