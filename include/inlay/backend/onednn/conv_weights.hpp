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

/// The weights times the scale of their output channel, in the model's order.
[[nodiscard]] inline std::vector<float> onednn_scaled_weights(const anchored_convolution& p) {
    const auto from = p.weights->as<float>();
    std::vector<float> to(from.begin(), from.end());
    const auto inputs = static_cast<std::size_t>(p.x_extents[1]), outputs = static_cast<std::size_t>(p.y_extents[1]),
               groups = static_cast<std::size_t>(p.groups);
    const std::size_t window = to.size() / (inputs / groups * outputs);
    for (std::size_t i = 0; i < to.size(); ++i) {
        const std::size_t filter = i / window;
        const std::size_t within = outputs / groups, across = inputs / groups;
        const std::size_t output = p.transposed ? filter / within / across * within + filter % within : filter / across;
        to[i] = static_cast<float>(static_cast<double>(to[i]) * p.line.scale[output]);
    }
    return to;
}

}  // namespace inlay::detail

#endif
