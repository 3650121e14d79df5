// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_DEPTHWISE_CONVOLUTION_HPP
#define INLAY_BACKEND_CPU_SIMD_DEPTHWISE_CONVOLUTION_HPP

#include <algorithm>
#include <cstddef>

#include <inlay/backend/cpu_simd/kernel_epilogue.hpp>
#include <inlay/backend/cpu_simd/panels.hpp>
#include <inlay/backend/cpu_simd/sharing.hpp>
#include <inlay/backend/cpu_simd/window_tiles.hpp>

namespace inlay::simd {

/// A window over each channel by itself: a vector of channels at a time, the places of a row side by side in registers.
struct depthwise_convolution {
    const kernel_table* table = nullptr;
    window_shape shape;  // `outputs` channels, one window each
    image_order x, y;
    std::ptrdiff_t images = 1;
    std::size_t input = 0;
    panels filter;  // panels of one vector
    kernel_epilogue after;

    [[nodiscard]] bool run(const run_arguments& a) const {
        const auto* from = static_cast<const float*>(a.inputs[input]);
        auto* to = static_cast<float*>(a.results[0]);
        const kernel_epilogue::ready last = after.at(a);
        const std::size_t vectors = filter.count();
        const auto rows = static_cast<std::size_t>(shape.y[1]);
        const double work = 2.0 * static_cast<double>(shape.kernel[1] * shape.kernel[2] * shape.y[2]) * static_cast<double>(table->lanes);
        share(a.executor, static_cast<std::size_t>(images) * vectors * rows, work * 2, [&](std::size_t begin, std::size_t end) {
            for (std::size_t u = begin; u < end; ++u) {
                const auto row = static_cast<std::ptrdiff_t>(u % rows);
                const std::size_t vector = u / rows % vectors;
                const auto image = static_cast<std::ptrdiff_t>(u / rows / vectors);
                one_row(from, to, last, image, vector, row);
            }
        });
        return true;
    }

private:
    void one_row(const float* from, float* to, const kernel_epilogue::ready& last, std::ptrdiff_t image, std::size_t vector,
                 std::ptrdiff_t row) const {
        const auto channel = static_cast<std::ptrdiff_t>(vector * table->lanes);
        const std::ptrdiff_t top = row * shape.strides[1] - shape.before[1], d = shape.dilations[1];
        depthwise_job j;
        j.x = from + image * x.image + x.channel(channel) + top * x.stride[1];
        j.x_row = d * x.stride[1];
        j.x_place = x.stride[2];
        j.weights = filter.at(vector);
        j.bias = filter.bias(vector);
        float* c = to + image * y.image + y.channel(channel) + row * y.stride[1];
        j.y = c;
        j.y_place = y.stride[2];
        j.window_rows = static_cast<std::size_t>(shape.kernel[1]);
        j.window_columns = static_cast<std::size_t>(shape.kernel[2]);
        const std::ptrdiff_t begin = top < 0 ? std::min((-top + d - 1) / d, shape.kernel[1]) : 0;
        j.rows_begin = static_cast<std::size_t>(begin);
        j.rows_end = static_cast<std::size_t>(std::clamp((shape.x[1] - top + d - 1) / d, begin, shape.kernel[1]));
        j.stride = static_cast<std::size_t>(shape.strides[2]);
        j.dilation = static_cast<std::size_t>(shape.dilations[2]);
        j.places = static_cast<std::size_t>(shape.y[2]);
        j.before = shape.before[2];
        j.width = static_cast<std::size_t>(shape.x[2]);
        const std::ptrdiff_t existing = shape.outputs - channel;
        j.columns = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(existing, 0, static_cast<std::ptrdiff_t>(table->lanes)));
        j.fills = y.fills();
        last.give(j, c, to, static_cast<std::size_t>(channel));
        table->depthwise(j);
    }
};

}  // namespace inlay::simd

#endif
