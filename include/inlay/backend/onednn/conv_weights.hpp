// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_CONV_WEIGHTS_HPP
#define INLAY_BACKEND_ONEDNN_CONV_WEIGHTS_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/backend/anchored_convolution.hpp>
#include <inlay/backend/onednn/memory.hpp>

// The weights of a convolution, in oneDNN's words.

namespace inlay::detail {

/// The library's order of axes: groups (where there are several), outputs, inputs, window.
[[nodiscard]] inline std::vector<std::int64_t> onednn_weight_extents(const anchored_convolution& p) {
    const std::vector<std::int64_t>& w = p.weights->extents();
    std::vector<std::int64_t> e;
    if (p.groups > 1) e.push_back(p.groups);
    e.push_back(p.y_extents[1] / p.groups);
    e.push_back(p.x_extents[1] / p.groups);
    e.insert(e.end(), w.begin() + 2, w.end());
    return e;
}

/// How the model's weights lie in those axes: a transposed convolution has them with inputs before outputs.
[[nodiscard]] inline dnnl::memory::desc onednn_weight_order(const anchored_convolution& p) {
    const std::vector<std::int64_t> e = onednn_weight_extents(p);
    if (!p.transposed) return onednn_plain(e);
    const std::size_t outputs = p.groups > 1 ? 1 : 0;
    std::vector<std::int64_t> stored = e;
    std::swap(stored[outputs], stored[outputs + 1]);
    dnnl::memory::dims strides = onednn_row_major(stored);
    std::swap(strides[outputs], strides[outputs + 1]);
    return {e, dnnl::memory::data_type::f32, strides};
}

}  // namespace inlay::detail

#endif
