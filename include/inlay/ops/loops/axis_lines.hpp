// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_AXIS_LINES_HPP
#define INLAY_OPS_LOOPS_AXIS_LINES_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/ops/loops/strides.hpp>

namespace inlay {

/// The lines of a row-major tensor along one axis: `count` lines of `length` elements, `step` elements apart.
struct axis_lines {
    std::int64_t outer = 1, length = 1, step = 1;

    [[nodiscard]] static axis_lines of(const std::vector<std::int64_t>& extents, std::size_t axis) {
        return {extent_product(extents, 0, axis), extents[axis], extent_product(extents, axis + 1, extents.size())};
    }

    [[nodiscard]] std::int64_t count() const { return outer * step; }
    /// The place of the first element of line i; lines next to each other start next to each other.
    [[nodiscard]] std::int64_t begin(std::int64_t line) const { return line / step * length * step + line % step; }
};

}  // namespace inlay

#endif
