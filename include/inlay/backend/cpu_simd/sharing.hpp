// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_SHARING_HPP
#define INLAY_BACKEND_CPU_SIMD_SHARING_HPP

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <inlay/codegen/kernel/share_work.hpp>

namespace inlay::simd {

/// Gives each task that runs a place in a workspace that no other has meanwhile. Where tasks outnumber the places, the rest wait.
class place_taker {
public:
    static constexpr std::size_t most = 64;

    /// Precondition: `places` is 1 to `most`.
    explicit place_taker(std::size_t places) : places_(places) {}

    /// A place as long as this lives.
    class place {
    public:
        explicit place(place_taker& from) : from_(from) {
            std::uint64_t seen = from_.taken_.load(std::memory_order_relaxed);
            for (;;) {
                number_ = static_cast<std::size_t>(std::countr_one(seen));
                if (number_ >= from_.places_)
                    seen = from_.taken_.load(std::memory_order_relaxed);
                else if (from_.taken_.compare_exchange_weak(seen, seen | std::uint64_t{1} << number_, std::memory_order_acquire))
                    break;
            }
        }
        ~place() { from_.taken_.fetch_and(~(std::uint64_t{1} << number_), std::memory_order_release); }
        place(const place&) = delete;
        place& operator=(const place&) = delete;

        [[nodiscard]] std::size_t number() const { return number_; }

    private:
        place_taker& from_;
        std::size_t number_ = 0;
    };
    [[nodiscard]] place take() { return place(*this); }

private:
    std::size_t places_;
    std::atomic<std::uint64_t> taken_{0};
};

}  // namespace inlay::simd

#endif
