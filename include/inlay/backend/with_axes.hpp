// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_WITH_AXES_HPP
#define INLAY_BACKEND_WITH_AXES_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inlay::detail {

/// One number per axis, written for at least `rank` axes: those that are missing stand in front, ones as extents have it.
[[nodiscard]] inline std::vector<std::int64_t> with_axes(std::vector<std::int64_t> list, std::size_t rank, std::int64_t missing = 1) {
    if (list.size() < rank) list.insert(list.begin(), rank - list.size(), missing);
    return list;
}

}  // namespace inlay::detail

#endif
