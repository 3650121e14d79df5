// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/loops/channel_window.hpp>

#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

using inlay::channel_window;

TEST_CASE("a window of channels has its larger half behind, and ends where the channels do [ops.window.bounded]") {
    CHECK(channel_window::of(1, 5).taps() == 1);
    CHECK(channel_window::of(4, 5).before == 1);
    CHECK(channel_window::of(4, 5).after == 2);
    const auto huge = channel_window::of(std::numeric_limits<std::int64_t>::max(), 5);
    CHECK(huge.before == 5);
    CHECK(huge.after == 5);
}
