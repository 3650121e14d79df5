// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_CHANNEL_WINDOW_HPP
#define INLAY_OPS_LOOPS_CHANNEL_WINDOW_HPP

#include <algorithm>
#include <cstdint>

#include <inlay/core/in_force.hpp>

namespace inlay {

/// The neighbours of a channel that LRN reads: so many before it and so many after it.
struct channel_window {
    std::int64_t before = 0, after = 0;

    /// The window of the attribute `size`, cut to the channels that there are. A file may claim any size.
    [[nodiscard]] static constexpr channel_window of(std::int64_t size, std::int64_t channels) {
        const std::int64_t before = (size - 1) / 2, after = size - 1 - before;
        if (!in_force<"ops.window.bounded">()) return {before, after};
        return {std::min(before, channels), std::min(after, channels)};
    }
    [[nodiscard]] constexpr std::int64_t taps() const { return before + 1 + after; }
};

}  // namespace inlay

#endif
