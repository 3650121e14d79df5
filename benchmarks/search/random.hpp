// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BENCHMARKS_SEARCH_RANDOM_HPP
#define INLAY_BENCHMARKS_SEARCH_RANDOM_HPP

#include <cstdint>

namespace bench {

/// A stream of numbers that depends on its seed alone, on every machine: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
class random_stream {
public:
    explicit random_stream(std::uint64_t seed) : state_(seed) {}

    [[nodiscard]] std::uint64_t next() {
        state_ += 0x9e37'79b9'7f4a'7c15u;
        return mixed(state_);
    }
    /// From 0 up to but without `count`, at least 1.
    [[nodiscard]] std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>((next() >> 11) % count); }
    /// From 0 up to but without 1.
    [[nodiscard]] double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    [[nodiscard]] static std::uint64_t mixed(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9u;
        z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11ebu;
        return z ^ (z >> 31);
    }

private:
    std::uint64_t state_;
};

}  // namespace bench

#endif
