// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_DEPTHWISE_CONVOLUTION_HPP
#define INLAY_BACKEND_CPU_SIMD_DEPTHWISE_CONVOLUTION_HPP

#include <cstddef>

#include <inlay/backend/cpu_simd/channel_rows.hpp>
#include <inlay/backend/cpu_simd/kernel_epilogue.hpp>
#include <inlay/backend/cpu_simd/panels.hpp>
#include <inlay/backend/cpu_simd/window_tiles.hpp>

namespace inlay::simd {

/// A window over each channel by itself: a vector of channels at a time, the places of a row side by side in registers.
struct depthwise_convolution {
    const kernel_table* table = nullptr;
    channel_rows rows;
    std::size_t input = 0;
    panels filter;  // panels of one vector
    kernel_epilogue after;

    [[nodiscard]] bool run(const run_arguments& a) const {
        const auto* from = static_cast<const float*>(a.inputs[input]);
        auto* to = static_cast<float*>(a.results[0]);
        const kernel_epilogue::ready last = after.at(a);
        const window_shape& s = rows.shape;
        const double work = 4.0 * static_cast<double>(s.kernel[1] * s.kernel[2] * s.y[2]) * static_cast<double>(table->lanes);
        rows.for_each<depthwise_job>(from, to, a.executor, work, [&](depthwise_job& j, std::ptrdiff_t channel) {
            const std::size_t vector = static_cast<std::size_t>(channel) / table->lanes;
            j.weights = filter.at(vector);
            j.bias = filter.bias(vector);
            last.give(j, j.y, to, static_cast<std::size_t>(channel));
            table->depthwise(j);
        });
        return true;
    }
};

}  // namespace inlay::simd

#endif
