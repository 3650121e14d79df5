// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_STRIDES_HPP
#define INLAY_OPS_LOOPS_STRIDES_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inlay {

/// How many elements lie between neighbours along each axis of a row-major tensor.
[[nodiscard]] inline std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& extents) {
    std::vector<std::int64_t> strides(extents.size(), 1);
    for (std::size_t i = extents.size(); i-- > 1;) strides[i - 1] = strides[i] * extents[i];
    return strides;
}

/// The strides by which a row-major tensor is read as one of the wider shape `to`: axes are aligned at the end, and an axis of
/// extent 1 that is stretched, or missing, has stride 0. Precondition: the extents can be stretched to `to`.
[[nodiscard]] inline std::vector<std::int64_t> stretched_strides(const std::vector<std::int64_t>& extents,
                                                                 const std::vector<std::int64_t>& to) {
    std::vector<std::int64_t> strides(to.size(), 0);
    std::int64_t step = 1;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        const std::size_t from = extents.size() - 1 - i;
        if (extents[from] != 1) strides[to.size() - 1 - i] = step;
        step *= extents[from];
    }
    return strides;
}

/// Product of the extents from axis `first` up to but not including axis `last`. Precondition: it fits, as it does for a tensor.
[[nodiscard]] inline std::int64_t extent_product(const std::vector<std::int64_t>& extents, std::size_t first, std::size_t last) {
    std::int64_t product = 1;
    for (std::size_t i = first; i < last; ++i) product *= extents[i];
    return product;
}

}  // namespace inlay

#endif
