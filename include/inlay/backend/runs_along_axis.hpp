// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_RUNS_ALONG_AXIS_HPP
#define INLAY_BACKEND_RUNS_ALONG_AXIS_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/target/format.hpp>

namespace inlay::detail {

/// Elements of a tensor of these extents that lie in one run, from one place of the axes outside of `axis` to the next, fill included.
/// Tensors side by side along that axis are runs one after the other, where no block of channels is cut.
[[nodiscard]] inline std::size_t run_along_axis(const std::vector<std::int64_t>& extents, std::size_t axis, const layout& l) {
    std::size_t elements = 1;
    const std::size_t rank = extents.size();
    // The axes in the order in which they lie, and where the given one is among them.
    for (std::size_t i = rank; i-- > 0;) {
        const bool last = l.kind == layout::form::channels_last;
        const std::size_t here = !last || i == 0 ? i : i == rank - 1 ? 1 : i + 1;
        const auto size = static_cast<std::size_t>(extents[here]);
        elements *= here == 1 ? l.stored_channels(size) : size;
        if (here == axis) break;
    }
    return elements;
}

}  // namespace inlay::detail

#endif
