// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDNN_CUDNN_SHAPE_HPP
#define INLAY_BACKEND_CUDNN_CUDNN_SHAPE_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <inlay/backend/spatial_window.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// The extents of a row-major tensor as cuDNN is told of them: of four axes at least.
struct cudnn_shape {
    std::vector<int> extents;

    /// Fewer axes get ones behind the first two, or behind all. Error: more elements than the library counts.
    [[nodiscard]] static outcome<cudnn_shape> of(const std::vector<std::int64_t>& extents) {
        std::int64_t count = 1;
        for (const std::int64_t n : extents) {
            if (n > std::numeric_limits<int>::max() / count)
                return error{"a tensor has more than " + std::to_string(std::numeric_limits<int>::max()) +
                             " elements, which the library counts"};
            count *= n;
        }
        cudnn_shape made{{extents.begin(), extents.end()}};
        while (made.extents.size() < 4) made.extents.insert(made.extents.size() < 2 ? made.extents.end() : made.extents.begin() + 2, 1);
        return made;
    }

    [[nodiscard]] int axes() const { return static_cast<int>(extents.size()); }
    [[nodiscard]] std::vector<int> strides() const {
        std::vector<int> made(extents.size(), 1);
        for (std::size_t i = extents.size(); i-- > 1;) made[i - 1] = made[i] * extents[i];
        return made;
    }

    friend bool operator==(const cudnn_shape&, const cudnn_shape&) = default;
};

/// How a window moves over the spatial axes as cuDNN is told of it: of two at least, and with as many places added before as behind.
struct cudnn_window {
    std::vector<int> kernel, pads, strides, dilations;

    /// Error: pads that differ, where the results would be others with those in front on both sides.
    [[nodiscard]] static outcome<cudnn_window> of(const spatial_window& w, const std::vector<std::int64_t>& x,
                                                  const std::vector<std::int64_t>& y) {
        cudnn_window made;
        if (w.kernel.size() == 1) made = {{1}, {0}, {1}, {1}};
        for (std::size_t i = 0; i < w.kernel.size(); ++i) {
            // What is added behind counts by the number of results alone.
            const std::int64_t room = x[i + 2] + 2 * w.begin[i] - w.span(i);
            if (w.begin[i] != w.end[i] && (room < 0 || room / w.strides[i] + 1 != y[i + 2]))
                return error{"the window has pads of " + std::to_string(w.begin[i]) + " and " + std::to_string(w.end[i]) +
                             " along spatial axis " + std::to_string(i) + ", where cuDNN has one number for both"};
            made.kernel.push_back(static_cast<int>(w.kernel[i]));
            made.pads.push_back(static_cast<int>(w.begin[i]));
            made.strides.push_back(static_cast<int>(w.strides[i]));
            made.dilations.push_back(static_cast<int>(w.dilations[i]));
        }
        return made;
    }

    [[nodiscard]] int axes() const { return static_cast<int>(kernel.size()); }

    friend bool operator==(const cudnn_window&, const cudnn_window&) = default;
};

}  // namespace inlay::detail

#endif
