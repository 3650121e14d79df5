// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_CHANNEL_ROWS_HPP
#define INLAY_BACKEND_CPU_SIMD_CHANNEL_ROWS_HPP

#include <algorithm>
#include <cstddef>

#include <inlay/backend/cpu_simd/image_order.hpp>
#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/backend/cpu_simd/sharing.hpp>
#include <inlay/backend/cpu_simd/window_tiles.hpp>

namespace inlay::simd {

/// Windows over each channel of images by itself, cut into rows of one vector of channels: what depthwise convolution and pooling share.
struct channel_rows {
    window_shape shape;  // of `outputs` channels
    image_order x, y;
    std::ptrdiff_t images = 1;
    std::size_t lanes = 1;

    /// Calls `f(job, channel)` for each row of results, `channel` its first one; a job is a `row_of_windows`, and what `f` sets beside it
    /// stays from row to row. `size` is how much work a row is.
    template <class Job, class F>
    void for_each(const float* from, float* to, const executor_ref& executor, double size, F&& f) const {
        const auto step = static_cast<std::ptrdiff_t>(lanes), vectors = rounded_up(y.stored(), step) / step, rows = shape.y[1];
        share(executor, static_cast<std::size_t>(images * vectors * rows), size, [&](std::size_t begin, std::size_t end) {
            Job j;
            set_window(j);
            for (auto u = static_cast<std::ptrdiff_t>(begin); u < static_cast<std::ptrdiff_t>(end); ++u) {
                const std::ptrdiff_t row = u % rows, vector = u / rows, channel = vector % vectors * step;
                const std::ptrdiff_t image = vector / vectors;
                set_row(j, from + image * x.image + x.channel(channel), to + image * y.image + y.channel(channel), channel, row);
                f(j, channel);
            }
        });
    }

    /// What all rows of results have in common.
    void set_window(row_of_windows& j) const {
        j.x_row = shape.dilations[1] * x.stride[1];
        j.x_place = x.stride[2];
        j.y_place = y.stride[2];
        j.window_columns = static_cast<std::size_t>(shape.kernel[2]);
        j.stride = static_cast<std::size_t>(shape.strides[2]);
        j.dilation = static_cast<std::size_t>(shape.dilations[2]);
        j.places = static_cast<std::size_t>(shape.y[2]);
        j.before = shape.before[2];
        j.width = static_cast<std::size_t>(shape.x[2]);
        j.fills = y.fills();
    }
    /// Goes to a row of results. `from` and `to` are where row 0 of the vector's first channel stands or would stand.
    void set_row(row_of_windows& j, const float* from, float* to, std::ptrdiff_t channel, std::ptrdiff_t row) const {
        const std::ptrdiff_t top = row * shape.strides[1] - shape.before[1];
        j.x = from + top * x.stride[1];
        j.y = to + row * y.stride[1];
        const window_rows inside = rows_inside(top, shape.kernel[1], shape.dilations[1], shape.x[1]);
        j.rows_begin = static_cast<std::size_t>(inside.begin);
        j.rows_end = static_cast<std::size_t>(inside.end);
        j.columns = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(shape.outputs - channel, 0, static_cast<std::ptrdiff_t>(lanes)));
    }
};

}  // namespace inlay::simd

#endif
