// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_DIRECT_CONVOLUTION_HPP
#define INLAY_BACKEND_CPU_SIMD_DIRECT_CONVOLUTION_HPP

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_simd/epilogue.hpp>
#include <inlay/backend/cpu_simd/panels.hpp>
#include <inlay/backend/cpu_simd/sharing.hpp>
#include <inlay/backend/cpu_simd/window_tiles.hpp>

namespace inlay::simd {

/// Copies images between zeros, in the order in which they stand: what windows that begin beside the image read. Rows are units of work.
struct padded_copy {
    image_order from, to;
    spatial before{0, 0, 0};
    std::ptrdiff_t images = 0;

    [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(images * to.image) * sizeof(float); }

    void run(const float* x, float* padded, const executor_ref& executor) const {
        // A strip of channels that lie side by side: all of them, one of them, or a block.
        const std::ptrdiff_t width = from.stride[2], strips = from.image / (width * from.places());
        const std::ptrdiff_t rows = to.extents[0] * to.extents[1];
        const auto units = static_cast<std::size_t>(images * strips * rows);
        share(executor, units, static_cast<double>(to.stride[1]) * 8, [&](std::size_t begin, std::size_t end) {
            for (std::size_t u = begin; u < end; ++u) {
                const auto row = static_cast<std::ptrdiff_t>(u) % rows, strip = static_cast<std::ptrdiff_t>(u) / rows;
                float* out = padded + (strip * rows + row) * to.stride[1];
                const std::ptrdiff_t z = row / to.extents[1] - before[0], y = row % to.extents[1] - before[1];
                if (z < 0 || z >= from.extents[0] || y < 0 || y >= from.extents[1]) {
                    std::fill_n(out, to.stride[1], 0.0f);
                    continue;
                }
                // The places of the image that lie between the pads.
                const std::ptrdiff_t first = std::clamp<std::ptrdiff_t>(before[2], 0, to.extents[2]);
                const std::ptrdiff_t past = std::clamp(before[2] + from.extents[2], first, to.extents[2]);
                std::fill_n(out, first * width, 0.0f);
                std::memcpy(out + first * width, x + ((strip * from.extents[0] + z) * from.extents[1] + y) * from.stride[1] + (first - before[2]) * width,
                            static_cast<std::size_t>((past - first) * width) * sizeof(float));
                std::fill_n(out + past * width, (to.extents[2] - past) * width, 0.0f);
            }
        });
    }
};

/// Windows of a filter over images by tiles of products, for each group of channels by itself. The state of a kernel.
struct direct_convolution {
    const kernel_table* table = nullptr;
    window_shape shape;  // of one group
    image_order x, y;    // of the images; `x` is between its pads where it is copied
    std::ptrdiff_t images = 1, groups = 1;
    std::size_t input = 0;       // which input of the region
    std::vector<panels> filter;  // of each group
    window_tiles tiles;
    std::optional<padded_copy> copied;
    epilogue after;
    // Results may be written apart: a transposed convolution's phases are convolutions whose results lie between others.
    spatial y_first{0, 0, 0}, y_apart{1, 1, 1};

    [[nodiscard]] std::size_t workspace() const { return copied ? copied->bytes() : 0; }

    [[nodiscard]] bool run(const run_arguments& a) const {
        const auto* from = static_cast<const float*>(a.inputs[input]);
        if (copied) {
            copied->run(from, reinterpret_cast<float*>(a.workspace), a.executor);
            from = reinterpret_cast<const float*>(a.workspace);
        }
        compute(from, static_cast<float*>(a.results[0]), a);
        return true;
    }

    void compute(const float* from, float* to, const run_arguments& a) const {
        const epilogue::ready last = after.at(a);
        // A row block's input stays in the second cache while panel after panel goes over it.
        constexpr double near_bytes = 256 << 10;
        const std::ptrdiff_t rows = shape.y[0] * shape.y[1];
        const double row_bytes = static_cast<double>(shape.inputs * shape.x[2] * shape.strides[1]) * sizeof(float);
        const std::size_t panel_count = filter[0].count();
        std::ptrdiff_t block = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(near_bytes / std::max(row_bytes, 1.0)), 1, rows);
        const double row_work = shape.operations() / static_cast<double>(rows) / static_cast<double>(panel_count);
        // Enough units for all threads, tiles of one row each where there is one row.
        const bool by_tile = rows == 1;
        const auto tile_count = static_cast<std::ptrdiff_t>(tiles.tiles().size());
        if (by_tile) block = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(near_bytes / std::max(row_bytes / static_cast<double>(tile_count), 1.0)), 1, tile_count);
        const std::ptrdiff_t all = by_tile ? tile_count : rows;
        const double work = by_tile ? row_work / static_cast<double>(tile_count) : row_work;
        if (a.executor.threads() > 1) {
            const auto wanted = static_cast<std::ptrdiff_t>(a.executor.threads() * 8);
            const std::ptrdiff_t others = images * groups * static_cast<std::ptrdiff_t>(panel_count);
            const std::ptrdiff_t blocks = (wanted + others - 1) / others;
            block = std::max<std::ptrdiff_t>(1, std::min(block, all / std::max<std::ptrdiff_t>(1, blocks)));
        }
        const std::ptrdiff_t blocks = (all + block - 1) / block;
        const auto units = static_cast<std::size_t>(images * groups * blocks) * panel_count;
        share(a.executor, units, work * static_cast<double>(block), [&](std::size_t begin, std::size_t end) {
            for (std::size_t u = begin; u < end; ++u) {
                const std::size_t panel = u % panel_count;
                auto rest = static_cast<std::ptrdiff_t>(u / panel_count);
                const std::ptrdiff_t first = rest % blocks * block, past = std::min(all, first + block);
                rest /= blocks;
                const std::ptrdiff_t group = rest % groups, image = rest / groups;
                if (by_tile) {
                    for (std::ptrdiff_t t = first; t < past; ++t) one_tile(from, to, last, image, group, panel, 0, static_cast<std::size_t>(t));
                } else {
                    for (std::ptrdiff_t row = first; row < past; ++row)
                        for (std::size_t t = 0; t < tiles.tiles().size(); ++t) one_tile(from, to, last, image, group, panel, row, t);
                }
            }
        });
    }

private:
    void one_tile(const float* from, float* to, const epilogue::ready& last, std::ptrdiff_t image, std::ptrdiff_t group, std::size_t panel,
                  std::ptrdiff_t row, std::size_t number) const {
        const window_tiles::tile& t = tiles.tiles()[number];
        const panels& b = filter[static_cast<std::size_t>(group)];
        const std::ptrdiff_t z = row / shape.y[1], h = row % shape.y[1];
        const std::ptrdiff_t top = h * shape.strides[1] - shape.before[1], deep = z * shape.strides[0] - shape.before[0];
        // Rows of the window that lie inside; where the window is deep, the image has no pads by now.
        std::ptrdiff_t begin = 0, end = tiles.window_rows();
        if (shape.kernel[0] == 1) {
            const std::ptrdiff_t d = shape.dilations[1];
            begin = top < 0 ? std::min((-top + d - 1) / d, end) : 0;
            end = std::clamp((shape.x[1] - top + d - 1) / d, begin, end);
        }
        tile_job j;
        const window_tiles::range range = tiles.segments(t, begin, end);
        j.segments = range.first;
        j.segment_count = range.count;
        j.a = from + image * x.image + x.channel(group * shape.inputs) + deep * x.stride[0] + top * x.stride[1] +
              (t.place * shape.strides[2] - shape.before[2]) * x.stride[2];
        j.a_row = shape.strides[2] * x.stride[2];
        j.b = b.at(panel);
        j.bias = b.bias(panel);
        const std::size_t vectors = b.vectors(panel);
        const std::ptrdiff_t column = group * shape.outputs + static_cast<std::ptrdiff_t>(panel * b.width());
        float* c = to + image * y.image + y.channel(column) + (y_first[0] + z * y_apart[0]) * y.stride[0] +
                   (y_first[1] + h * y_apart[1]) * y.stride[1] + (y_first[2] + t.place * y_apart[2]) * y.stride[2];
        j.c = c;
        j.c_row = y_apart[2] * y.stride[2];
        for (std::size_t v = 0; v < vectors; ++v)
            j.c_vector[v] = y.channel(column + static_cast<std::ptrdiff_t>(v * table->lanes)) - y.channel(column);
        const std::ptrdiff_t existing = shape.outputs - static_cast<std::ptrdiff_t>(panel * b.width());
        j.columns = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(existing, 0, static_cast<std::ptrdiff_t>(b.columns(panel))));
        j.fills = y.fills();
        last.give(j, c, to, static_cast<std::size_t>(column));
        table->tiles[vectors - 1][t.rows - 1](j);
    }
};

}  // namespace inlay::simd

#endif
