// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_BOTTLENECK_HPP
#define INLAY_BACKEND_CPU_SIMD_BOTTLENECK_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/backend/bottleneck_region.hpp>
#include <inlay/backend/cpu_simd/expanded_windows.hpp>
#include <inlay/backend/cpu_simd/image_order.hpp>
#include <inlay/backend/cpu_simd/kernel_epilogue.hpp>
#include <inlay/backend/cpu_simd/panel_walk.hpp>
#include <inlay/backend/cpu_simd/panels.hpp>
#include <inlay/backend/cpu_simd/pointwise_stage.hpp>
#include <inlay/backend/cpu_simd/sharing.hpp>
#include <inlay/backend/cpu_simd/window_tiles.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::simd {

/// 1 x 1 convolution, depthwise convolution and 1 x 1 convolution in one, the first of which may be missing. The expanded tensor never
/// stands in memory. Its channels go in runs, a panel of the first filter each: windows read a run while it is in the first cache, or the
/// second. There are two forms.
///
/// By rows, where images are large (56 x 56 x 24 -> 144 -> 24, 28 x 28 x 32 -> 192 -> 32): a strip of rows of the result at a time, with
/// all channels. The filters are small there and stay near from strip to strip. Expanded rows that the next strip reads too are moved to
/// the front of their buffer; that costs less than expanding them again, and windows need no ring of rows. Only what lies between two tasks
/// is expanded twice.
///
/// By channels, where the windows' results of an image fit in the second cache (14 x 14 x 96 -> 576 -> 96, 7 x 7 x 160 -> 960 -> 320): run
/// after run over the whole image, then the last product. The filters are larger than the image there and are walked over once; no row is
/// expanded twice, however many tasks there are.
///
/// The state of a kernel.
struct bottleneck : expanded_windows {
    image_order y;
    pointwise_stage project;

    bool by_channels = false;
    std::ptrdiff_t rows = 1;       // of the result, in a strip
    std::ptrdiff_t task_rows = 1;  // by rows: of the result, in a task
    std::ptrdiff_t together = 1;   // by channels: images that go through each step together
    std::size_t places = 1;        // tasks that may run at one time

    /// Chooses the form and how much is done at one time, for windows over `channels` with their fill.
    void plan(const window_shape& s, std::ptrdiff_t channels, bool expands, std::size_t threads) {
        constexpr std::ptrdiff_t near_strip = (384 << 10) / sizeof(float), near_image = (512 << 10) / sizeof(float);
        const std::ptrdiff_t wide_row = expands ? channels * s.x[2] : 0, narrow_row = channels * s.y[2], height = s.y[1];
        places = std::clamp<std::size_t>(threads, 1, place_taker::most);
        rows = task_rows = height;
        by_channels = narrow_row * height <= near_image;
        if (by_channels) {
            together = std::clamp<std::ptrdiff_t>(near_image / (narrow_row * height), 1, images);
            return;
        }
        task_rows = rows_of_task(s, expands, images, static_cast<std::ptrdiff_t>(places));
        rows = rows_of_strip(task_rows,
                             [&](std::ptrdiff_t count) { return rows_spanned(s, count) * wide_row + count * narrow_row <= near_strip; });
    }

    [[nodiscard]] std::size_t workspace() const {
        const auto tasks = static_cast<std::ptrdiff_t>(places);
        return static_cast<std::size_t>(tasks * wide_floats() + (by_channels ? together : tasks) * narrow_floats()) * sizeof(float);
    }

    [[nodiscard]] bool run(const run_arguments& a) const {
        const turn all(*this, a);
        by_channels ? all.by_channels() : all.by_rows();
        return true;
    }

private:
    [[nodiscard]] std::ptrdiff_t wide_floats() const {
        if (!expand) return 0;
        return rounded_up(by_channels ? run_channels * window.x.places() : window.x.image, 16);
    }
    [[nodiscard]] std::ptrdiff_t narrow_floats() const { return rounded_up(window.y.image, 16); }

    /// One run of the kernel.
    class turn {
    public:
        turn(const bottleneck& k, const run_arguments& a)
            : k_(k),
              executor_(a.executor),
              before_(k, a),
              to_(static_cast<float*>(a.results[0])),
              wide_(reinterpret_cast<float*>(a.workspace)),
              narrow_(wide_ + static_cast<std::ptrdiff_t>(k.places) * k.wide_floats()),
              project_last_(k.project.after.at(a)) {}

        void by_rows() const {
            const std::ptrdiff_t height = k_.window.shape.y[1], tasks = (height + k_.task_rows - 1) / k_.task_rows;
            place_taker taker(k_.places);
            share(
                executor_, static_cast<std::size_t>(k_.images * tasks), operations(k_.task_rows), [&](std::size_t begin, std::size_t end) {
                    const place_taker::place mine = taker.take();
                    const auto number = static_cast<std::ptrdiff_t>(mine.number());
                    kept_rows there;
                    float *wide = wide_ + number * k_.wide_floats(), *narrow = narrow_ + number * k_.narrow_floats();
                    for (std::size_t u = begin; u < end; ++u) {
                        const std::ptrdiff_t image = static_cast<std::ptrdiff_t>(u) / tasks, task = static_cast<std::ptrdiff_t>(u) % tasks;
                        const std::ptrdiff_t past = std::min((task + 1) * k_.task_rows, height);
                        for (std::ptrdiff_t row = task * k_.task_rows; row < past; row += k_.rows) {
                            const strip s = k_.strip_of(there, image, row, std::min(row + k_.rows, past));
                            some_rows(s, wide, narrow);
                            there = s.left();
                        }
                    }
                });
        }

        void by_channels() const {
            for (std::ptrdiff_t first = 0; first < k_.images; first += k_.together) {
                const std::ptrdiff_t count = std::min(k_.together, k_.images - first);
                widen(first, count);
                multiply(first, count);
            }
        }

    private:
        /// How many operations so many rows of the result take.
        [[nodiscard]] double operations(std::ptrdiff_t count) const {
            return k_.operations(count) + k_.project.operations(count * k_.window.shape.y[2]);
        }

        /// A panel of the last product for places of an image; `from` is the first of them.
        void multiply_panel(std::ptrdiff_t image, std::size_t panel, std::ptrdiff_t first, std::ptrdiff_t past, const float* from) const {
            const auto channel = static_cast<std::ptrdiff_t>(panel * k_.project.filter.width());
            float* made = to_ + image * k_.y.image + k_.y.channel(channel) + first * k_.y.stride[2];
            k_.project.compute(panel, past - first, from, made, to_, project_last_);
        }

        /// A strip with all channels, and the last product of it.
        void some_rows(const strip& s, float* wide, float* narrow) const {
            const window_shape& w = k_.window.shape;
            const image_order& made = k_.window.y;
            for (std::ptrdiff_t c = 0; c < w.outputs; c += k_.run_channels)
                before_.some_rows(s, c, std::min(c + k_.run_channels, w.outputs), wide + k_.window.x.channel(c),
                                  narrow + made.channel(c) - s.first * made.stride[1]);
            for (std::size_t panel = 0; panel < k_.project.filter.count(); ++panel)
                multiply_panel(s.image, panel, s.first * w.y[2], s.past * w.y[2], narrow);
        }

        /// By channels: all that comes before the last product.
        void widen(std::ptrdiff_t first, std::ptrdiff_t count) const {
            const window_shape& s = k_.window.shape;
            const double work = k_.operations(s.y[1]) / static_cast<double>(k_.runs());
            place_taker taker(k_.places);
            share(executor_, static_cast<std::size_t>(k_.runs() * count), work, [&](std::size_t begin, std::size_t end) {
                const place_taker::place mine = taker.take();
                float* wide = wide_ + static_cast<std::ptrdiff_t>(mine.number()) * k_.wide_floats();
                for (auto u = static_cast<std::ptrdiff_t>(begin); u < static_cast<std::ptrdiff_t>(end); ++u) {
                    const std::ptrdiff_t image = first + u % count, channel = u / count * k_.run_channels;
                    if (k_.expand) before_.widen_rows(image, channel, 0, s.x[1], wide);
                    before_.windows(channel, std::min(channel + k_.run_channels, s.outputs), 0, s.y[1],
                                    k_.expand ? wide : before_.image(image) + k_.x.channel(channel),
                                    narrow_ + u % count * k_.narrow_floats() + k_.window.y.channel(channel));
                }
            });
        }
        /// By channels: the last product, in tiles of places.
        void multiply(std::ptrdiff_t first, std::ptrdiff_t count) const {
            const pointwise_stage& p = k_.project;
            const std::ptrdiff_t image_places = k_.y.places();
            const std::size_t most = p.size.rows, tiles = (static_cast<std::size_t>(image_places) + most - 1) / most;
            const std::size_t columns = p.filter.count(), each = static_cast<std::size_t>(count), threads = executor_.threads();
            const panel_walk walk = panel_walk::of(tiles, columns, p.filter.bytes(), tiles, 1, each, threads > 1 ? threads * 8 : 1);
            const double work = p.operations(image_places) / static_cast<double>(tiles * columns);
            share(executor_, each * walk.units(), work * static_cast<double>(walk.block), [&](std::size_t begin, std::size_t end) {
                for (std::size_t u = begin; u < end; ++u) {
                    const auto [panel, from, past] = walk.at(u / each);
                    const auto image = static_cast<std::ptrdiff_t>(u % each);
                    const auto place = [&](std::size_t tile) {
                        return image_places * static_cast<std::ptrdiff_t>(tile) / static_cast<std::ptrdiff_t>(tiles);
                    };
                    multiply_panel(first + image, panel, place(from), place(past),
                                   narrow_ + image * k_.narrow_floats() + place(from) * k_.window.y.stride[2]);
                }
            });
        }

        const bottleneck& k_;
        const executor_ref& executor_;
        const expanded_windows::pass before_;
        float* to_;
        float *wide_, *narrow_;
        kernel_epilogue::ready project_last_;
    };
};

/// Such blocks as the third part of a composite: in blocks of channels, or channels last, throughout.
struct bottleneck_entry {
    struct plan : detail::bottleneck_region {
        kernel_epilogue expand_after, window_after, project_after;
    };

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        const region_view& r = m.region();
        auto found = detail::bottleneck_region::read(r);
        if (!found) return found.failure();
        plan p{*std::move(found), {}, {}, {}};
        const auto read_after = [&](const detail::anchored_convolution& c, bool adds, kernel_epilogue& to) -> outcome<void> {
            auto e = kernel_epilogue::read(r, c.after, c.y_extents, 1, adds);
            if (!e) return e.failure();
            to = *std::move(e);
            return {};
        };
        if (p.expand)
            if (auto fine = read_after(*p.expand, false, p.expand_after); !fine) return fine.failure();
        if (auto fine = read_after(p.depthwise, false, p.window_after); !fine) return fine.failure();
        if (auto fine = read_after(p.project, true, p.project_after); !fine) return fine.failure();
        return p;
    }

    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan&, const region_view& r) const {
        return expanded_windows::offered(self.table(), r);
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        const auto number = [](std::int64_t n) { return static_cast<std::ptrdiff_t>(n); };
        const auto order_of = [&](const layout& l, const std::vector<std::int64_t>& e) {
            return image_order::of(l, number(e[1]), spatial_of(e, 1, 2));
        };
        const kernel_table& table = *self.table();
        const layout &border = r.result_formats[0].order, inner = blocks_for(table.lanes);
        const detail::anchored_convolution& d = p.depthwise;
        bottleneck k;
        k.table = &table;
        k.images = number(d.x_extents[0]);
        k.input = p.x();
        k.x = order_of(border, p.first().x_extents);
        k.y = order_of(border, p.project.y_extents);
        image_order wide = order_of(p.expand ? inner : border, d.x_extents), narrow = order_of(inner, d.y_extents);
        const window_shape shape = shape_of(d.window, 1, wide.channels, wide.extents, narrow.extents);
        k.plan(shape, narrow.stored(), p.expand.has_value(), static_cast<std::size_t>(self.threads));
        if (!k.by_channels) {
            if (p.expand) wide = image_order::of(inner, wide.channels, {1, bottleneck::rows_spanned(shape, k.rows), wide.extents[2]});
            narrow = image_order::of(inner, narrow.channels, {1, k.rows, narrow.extents[2]});
        }
        k.window = {shape, wide, narrow, k.images, table.lanes};
        k.window_after = p.window_after;
        if (auto packed = k.pack(p, r, p.expand_after, k.rows, self.weights); !packed) return packed.failure();
        kernel_epilogue project_after = p.project_after;
        if (auto bound = project_after.bind(r, p.project.y_extents, 1, border); !bound) return bound.failure();
        k.project = pointwise_stage::of(p.project, table, narrow, k.y, k.rows * shape.y[2], std::move(project_after), self.weights);
        if (k.project.filter.is_empty()) return error{"there is no memory for the packed weights"};
        const bool by_channels = k.by_channels;
        const std::size_t workspace = k.workspace();
        return self.finish(std::move(k), by_channels ? "bottleneck by channels" : "bottleneck by rows", workspace);
    }
};

}  // namespace inlay::simd

#endif
