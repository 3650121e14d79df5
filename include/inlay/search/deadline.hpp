// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_DEADLINE_HPP
#define INLAY_SEARCH_DEADLINE_HPP

#include <atomic>
#include <chrono>  // A leaf: the one place of the search that looks at a clock, and only under a budget.
#include <optional>

namespace inlay {

/// When a search has to stop: after a number of milliseconds, or when another thread says so; with neither, never.
class deadline {
public:
    deadline(std::optional<double> budget_ms, const std::atomic<bool>* cancel) : cancel_(cancel) {
        // Beyond thirty years the sum would leave the clock's range.
        constexpr double unlimited = 1e12;
        if (!budget_ms || !(*budget_ms < unlimited)) return;
        const double ms = *budget_ms > 0 ? *budget_ms : 0;
        at_ = clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double, std::milli>(ms));
    }

    [[nodiscard]] bool passed() const {
        if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) return true;
        return at_ && clock::now() >= *at_;
    }

    /// How many milliseconds are left, at least 0; none if there is no budget.
    [[nodiscard]] std::optional<double> left_ms() const {
        if (!at_) return std::nullopt;
        const double left = std::chrono::duration<double, std::milli>(*at_ - clock::now()).count();
        return left > 0 ? left : 0;
    }

private:
    using clock = std::chrono::steady_clock;

    std::optional<clock::time_point> at_;
    const std::atomic<bool>* cancel_ = nullptr;
};

}  // namespace inlay

#endif
