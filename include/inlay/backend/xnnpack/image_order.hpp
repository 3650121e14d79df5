// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_IMAGE_ORDER_HPP
#define INLAY_BACKEND_XNNPACK_IMAGE_ORDER_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// What becomes of axes and constants when images lie with their channels last.

namespace inlay::detail {

/// The extents N C H W in the order N H W C. Precondition: rank 4.
[[nodiscard]] inline std::vector<std::int64_t> xnnpack_channels_last(const std::vector<std::int64_t>& e) {
    return {e[0], e[2], e[3], e[1]};
}

/// Where an axis of N C H W stands in N H W C.
[[nodiscard]] constexpr std::size_t xnnpack_axis_in_channels_last(std::size_t axis) { return std::array<std::size_t, 4>{0, 3, 1, 2}[axis]; }

/// Whether a tensor of these extents, N C H W, lies the same with its channels last.
[[nodiscard]] inline bool xnnpack_lies_the_same(const std::vector<std::int64_t>& e) { return e[1] == 1 || e[2] * e[3] == 1; }

/// The numbers of a row-major tensor N C H W in the order N H W C.
[[nodiscard]] inline std::vector<float> xnnpack_channels_last(std::span<const float> from, const std::vector<std::int64_t>& e) {
    const auto channels = static_cast<std::size_t>(e[1]), places = static_cast<std::size_t>(e[2] * e[3]);
    std::vector<float> to(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
        to[(i / places / channels * places + i % places) * channels + i / places % channels] = from[i];
    return to;
}

}  // namespace inlay::detail

#endif
