// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_EXPAND_DEPTHWISE_HPP
#define INLAY_BACKEND_CPU_SIMD_EXPAND_DEPTHWISE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_simd/expanded_windows.hpp>
#include <inlay/backend/cpu_simd/image_order.hpp>
#include <inlay/backend/cpu_simd/kernel_epilogue.hpp>
#include <inlay/backend/cpu_simd/sharing.hpp>
#include <inlay/backend/cpu_simd/window_tiles.hpp>
#include <inlay/backend/expanded_depthwise.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::simd {

/// 1 x 1 convolution and depthwise convolution in one, whose results are written out: what stands before the gate of MobileNetV3 and
/// EfficientNet. A run of channels goes over an image in strips of rows that stay near; expanded rows that the next strip reads too are
/// moved to the front of the buffer. The state of a kernel.
struct expand_depthwise : expanded_windows {
    std::ptrdiff_t rows = 1;       // of the result, in a strip
    std::ptrdiff_t task_rows = 1;  // of the result, in a task
    std::size_t places = 1;        // tasks that may run at one time

    /// Chooses how much is done at one time, for runs of about so many channels.
    void plan(const window_shape& s, std::ptrdiff_t channels, std::size_t threads) {
        constexpr std::ptrdiff_t near_strip = (256 << 10) / sizeof(float);
        places = std::clamp<std::size_t>(threads, 1, place_taker::most);
        const std::ptrdiff_t units = images * ((s.outputs + channels - 1) / channels);
        task_rows = rows_of_task(s, true, units, static_cast<std::ptrdiff_t>(places));
        rows = rows_of_strip(task_rows, [&](std::ptrdiff_t count) { return rows_spanned(s, count) * channels * s.x[2] <= near_strip; });
    }

    [[nodiscard]] std::ptrdiff_t wide_floats() const { return rounded_up(run_channels * window.x.places(), 16); }
    [[nodiscard]] std::size_t workspace() const { return places * static_cast<std::size_t>(wide_floats()) * sizeof(float); }

    [[nodiscard]] bool run(const run_arguments& a) const {
        const pass all(*this, a);
        auto* to = static_cast<float*>(a.results[0]);
        const image_order& y = window.y;
        const std::ptrdiff_t height = window.shape.y[1], tasks = (height + task_rows - 1) / task_rows;
        const double work = operations(task_rows) / static_cast<double>(runs());
        place_taker taker(places);
        share(a.executor, static_cast<std::size_t>(images * runs() * tasks), work, [&](std::size_t begin, std::size_t end) {
            const place_taker::place mine = taker.take();
            float* wide = reinterpret_cast<float*>(a.workspace) + static_cast<std::ptrdiff_t>(mine.number()) * wide_floats();
            for (auto u = static_cast<std::ptrdiff_t>(begin); u < static_cast<std::ptrdiff_t>(end); ++u) {
                const std::ptrdiff_t first = u % tasks * task_rows, past = std::min(first + task_rows, height);
                const std::ptrdiff_t channel = u / tasks % runs() * run_channels, image = u / tasks / runs();
                const std::ptrdiff_t last = std::min(channel + run_channels, y.stored());
                float* made = to + image * y.image + y.channel(channel);
                kept_rows there;
                for (std::ptrdiff_t row = first; row < past; row += rows) {
                    const strip s = strip_of(there, image, row, std::min(row + rows, past));
                    all.some_rows(s, channel, last, wide, made);
                    there = s.left();
                }
            }
        });
        return true;
    }
};

/// Both convolutions as the third part of a composite: in blocks of channels, or channels last, throughout.
struct expand_depthwise_entry {
    struct plan : detail::expanded_depthwise {
        kernel_epilogue expand_after, window_after;
    };

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        const region_view& r = m.region();
        auto found = detail::expanded_depthwise::read(r);
        if (!found) return found.failure();
        auto expand_after = kernel_epilogue::read(r, found->expand->after, found->expand->y_extents, 1, false);
        if (!expand_after) return expand_after.failure();
        auto window_after = kernel_epilogue::read(r, found->depthwise.after, found->depthwise.y_extents, 1, false);
        if (!window_after) return window_after.failure();
        return plan{*std::move(found), *std::move(expand_after), *std::move(window_after)};
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
        expand_depthwise k;
        k.table = &table;
        k.images = number(d.x_extents[0]);
        k.input = p.x();
        k.x = order_of(border, p.first().x_extents);
        const image_order y = order_of(border, d.y_extents);
        const spatial from = spatial_of(d.x_extents, 1, 2);
        const window_shape shape = shape_of(d.window, 1, y.channels, from, y.extents);
        k.plan(shape, number(static_cast<std::int64_t>(4 * table.lanes)), static_cast<std::size_t>(self.threads));
        const image_order wide = image_order::of(inner, y.channels, {1, expanded_windows::rows_spanned(shape, k.rows), from[2]});
        k.window = {shape, wide, y, k.images, table.lanes};
        k.window_after = p.window_after;
        if (auto packed = k.pack(p, r, p.expand_after, k.rows, self.weights); !packed) return packed.failure();
        const std::size_t workspace = k.workspace();
        return self.finish(std::move(k), "expansion and depthwise", workspace);
    }
};

}  // namespace inlay::simd

#endif
