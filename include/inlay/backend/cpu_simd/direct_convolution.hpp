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

#include <inlay/backend/cpu_simd/kernel_epilogue.hpp>
#include <inlay/backend/cpu_simd/panel_walk.hpp>
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
                std::memcpy(out + first * width,
                            x + ((strip * from.extents[0] + z) * from.extents[1] + y) * from.stride[1] + (first - before[2]) * width,
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
    kernel_epilogue after;
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
        const kernel_epilogue::ready last = after.at(a);
        // Rows of results, or tiles of one row where there is one row.
        const std::ptrdiff_t rows = shape.y[0] * shape.y[1];
        const bool by_tile = rows == 1;
        const std::size_t all = by_tile ? tiles.tiles().size() : static_cast<std::size_t>(rows), panel_count = filter[0].count();
        const auto images_and_groups = static_cast<std::size_t>(images * groups);
        // A block's input and results stay in the second cache.
        constexpr double near_bytes = 384 << 10;
        const double parts = by_tile ? static_cast<double>(all) : 1;
        const double bytes =
            static_cast<double>(shape.inputs * shape.x[2] * shape.strides[1] + shape.outputs * shape.y[2]) * sizeof(float) / parts;
        const std::size_t threads = a.executor.threads();
        const panel_walk walk =
            panel_walk::of(all, panel_count, filter[0].bytes(), static_cast<std::size_t>(near_bytes / std::max(bytes, 1.0)), 1,
                           images_and_groups, threads > 1 ? threads * 8 : 1);
        const double work = shape.operations() / static_cast<double>(all * panel_count);
        share(a.executor, images_and_groups * walk.units(), work * static_cast<double>(std::min(walk.block, all)),
              [&](std::size_t begin, std::size_t end) {
                  for (std::size_t u = begin; u < end; ++u) {
                      const auto [panel, first, past] = walk.at(u % walk.units());
                      const auto product = static_cast<std::ptrdiff_t>(u / walk.units());
                      const std::ptrdiff_t group = product % groups, image = product / groups;
                      panel_run one(*this, from, to, last, image, group, panel);
                      if (by_tile) {
                          one.row(0);
                          for (std::size_t t = first; t < past; ++t) one.tile(t);
                      } else {
                          for (std::size_t row = first; row < past; ++row) {
                              one.row(static_cast<std::ptrdiff_t>(row));
                              for (std::size_t t = 0; t < tiles.tiles().size(); ++t) one.tile(t);
                          }
                      }
                  }
              });
    }

private:
    /// One panel of columns over tiles of an image: what is the same for all of them is set once.
    class panel_run {
    public:
        panel_run(const direct_convolution& k, const float* from, float* to, const kernel_epilogue::ready& last, std::ptrdiff_t image,
                  std::ptrdiff_t group, std::size_t panel)
            : k_(k), last_(last), filter_(k.filter[static_cast<std::size_t>(group)]), panel_(panel), begin_(to) {
            const panels& b = filter_;
            const std::size_t vectors = b.vectors(panel);
            const std::ptrdiff_t column = group * k.shape.outputs + static_cast<std::ptrdiff_t>(panel * b.width());
            const std::ptrdiff_t existing = k.shape.outputs - static_cast<std::ptrdiff_t>(panel * b.width());
            job_.columns = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(existing, 0, static_cast<std::ptrdiff_t>(b.columns(panel))));
            job_.fills = k.y.fills();
            job_.a_row = k.shape.strides[2] * k.x.stride[2];
            job_.b = b.at(panel);
            job_.bias = b.bias(panel);
            job_.c_row = k.y_apart[2] * k.y.stride[2];
            for (std::size_t v = 0; v < vectors; ++v)
                job_.c_vector[v] = k.y.channel(column + static_cast<std::ptrdiff_t>(v * k.table->lanes)) - k.y.channel(column);
            last.give(job_, to, to, static_cast<std::size_t>(column));
            tiles_ = k.table->tiles[vectors - 1];
            image_ = from + image * k.x.image + k.x.channel(group * k.shape.inputs) - k.shape.before[2] * k.x.stride[2];
            result_ = to + image * k.y.image + k.y.channel(column) + k.y_first[0] * k.y.stride[0] + k.y_first[1] * k.y.stride[1] +
                      k.y_first[2] * k.y.stride[2];
        }

        /// Goes to a row of results, counted over depth and height.
        void row(std::ptrdiff_t number) {
            const window_shape& s = k_.shape;
            const std::ptrdiff_t z = number / s.y[1], h = number % s.y[1];
            const std::ptrdiff_t top = h * s.strides[1] - s.before[1], deep = z * s.strides[0] - s.before[0];
            // Where the window is deep, the image has no pads by now.
            window_ = s.kernel[0] == 1 ? rows_inside(top, s.kernel[1], s.dilations[1], s.x[1]) : window_rows{0, k_.tiles.window_rows()};
            a_ = image_ + deep * k_.x.stride[0] + top * k_.x.stride[1];
            c_ = result_ + z * k_.y_apart[0] * k_.y.stride[0] + h * k_.y_apart[1] * k_.y.stride[1];
        }
        void tile(std::size_t number) {
            const window_tiles::tile& t = k_.tiles.tiles()[number];
            const window_tiles::range range = k_.tiles.segments(t, window_.begin, window_.end);
            job_.segments = range.first;
            job_.segment_count = range.count;
            job_.a = a_ + t.place * job_.a_row;
            job_.c = c_ + t.place * job_.c_row;
            job_.ahead = filter_.ahead(panel_, done_++);
            if (last_.add != nullptr) job_.add = last_.add + (job_.c - begin_);
            tiles_[t.rows - 1](job_);
        }

    private:
        const direct_convolution& k_;
        const kernel_epilogue::ready& last_;
        const panels& filter_;
        std::size_t panel_, done_ = 0;  // tiles
        float* begin_;
        tile_job job_;
        void (*const* tiles_)(const tile_job&) = nullptr;
        const float *image_ = nullptr, *a_ = nullptr;
        float *result_ = nullptr, *c_ = nullptr;
        window_rows window_;
    };
};

}  // namespace inlay::simd

#endif
