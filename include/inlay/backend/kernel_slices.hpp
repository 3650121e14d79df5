// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_KERNEL_SLICES_HPP
#define INLAY_BACKEND_KERNEL_SLICES_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/thread_limit.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::detail {

/// Kernels of one thread each that make up one result, shared out over the executor of the run: unlike a library's own threads they wait
/// for nobody who does not run. The state of a kernel.
class kernel_slices {
public:
    /// Adds a kernel; its workspace stands behind those of the others.
    void add(kernel part) {
        at_.push_back(workspace_);
        workspace_ += (part.workspace_bytes + 63) / 64 * 64;
        if ((", " + note_ + ", ").find(", " + part.note + ", ") == std::string::npos) note_ += (note_.empty() ? "" : ", ") + part.note;
        parts_.push_back(std::move(part));
    }
    /// The kernel, which works on at most so many threads.
    [[nodiscard]] static kernel finish(kernel_slices slices, std::size_t threads) {
        const std::size_t workspace = slices.workspace_;
        std::string note = std::to_string(slices.parts_.size()) + " slices of " + slices.note_;
        kernel made(std::move(slices), workspace);
        made.note = std::move(note);
        return with_thread_limit(std::move(made), threads);
    }

    [[nodiscard]] bool run(const run_arguments& a) const {
        std::atomic<bool> good{true};
        a.executor.run(parts_.size(), [&](std::size_t i) {
            run_arguments own = a;
            own.workspace = a.workspace + at_[i];
            own.executor = {};
            if (!parts_[i](own)) good.store(false, std::memory_order_relaxed);
        });
        return good.load(std::memory_order_relaxed);
    }

private:
    std::vector<kernel> parts_;
    std::vector<std::size_t> at_;
    std::size_t workspace_ = 0;
    std::string note_;
};

/// Into how many slices so many outputs go: up to two for each thread, so that a thread that is held up leaves some to others, none of
/// fewer outputs than `least` but for what cutting at multiples of `step` takes from one. Where each begins, and the end. Precondition: all
/// are positive.
[[nodiscard]] inline std::vector<std::int64_t> slice_cuts(std::int64_t outputs, std::int64_t step, std::int64_t least, int threads) {
    const std::int64_t count = std::clamp<std::int64_t>(outputs / least, 1, 2 * std::int64_t{threads});
    const std::int64_t steps = (outputs + step - 1) / step;
    std::vector<std::int64_t> cuts{0};
    for (std::int64_t i = 1; i <= count; ++i) {
        const std::int64_t at = std::min(outputs, steps * i / count * step);
        if (at > cuts.back()) cuts.push_back(at);
    }
    return cuts;
}

/// How many outputs a slice has at least, so that it does so much work. Precondition: one output does some.
[[nodiscard]] constexpr std::int64_t least_outputs(std::int64_t worth, std::int64_t of_one) { return (worth + of_one - 1) / of_one; }

}  // namespace inlay::detail

#endif
