// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_ACCELERATOR_TAP_AXIS_HPP
#define INLAY_ACCELERATOR_TAP_AXIS_HPP

#include <algorithm>
#include <cstdint>

namespace inlay {

/// One axis of a window: how many taps, and where they stand.
struct tap_axis {
    std::int64_t in = 1, out = 1, taps = 1, stride = 1, dilation = 1, before = 0;

    /// Where tap `tap` of place `at` stands; outside of 0 to less than `in` where it is beside the image.
    [[nodiscard]] constexpr std::int64_t place(std::int64_t at, std::int64_t tap) const { return at * stride + tap * dilation - before; }
    /// Whether each place reads its own pixel alone.
    [[nodiscard]] constexpr bool is_plain() const { return taps == 1 && stride == 1 && before == 0 && in == out; }
    /// The places whose tap stands in the image: from `first` to less than `past`.
    struct run {
        std::int64_t first = 0, past = 0;
        friend bool operator==(const run&, const run&) = default;
    };
    [[nodiscard]] constexpr run places_inside(std::int64_t tap) const {
        const std::int64_t moved = before - tap * dilation;
        const std::int64_t first = std::clamp<std::int64_t>((moved + stride - 1) / stride, 0, out);
        return {first, std::clamp<std::int64_t>((in - 1 + moved + stride) / stride, first, out)};
    }
    /// Pairs of a place and a tap that stands in the image.
    [[nodiscard]] constexpr std::int64_t taps_inside() const {
        std::int64_t inside = 0;
        for (std::int64_t tap = 0; tap < taps; ++tap) inside += places_inside(tap).past - places_inside(tap).first;
        return inside;
    }
    friend bool operator==(const tap_axis&, const tap_axis&) = default;
};

}  // namespace inlay

#endif
