// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_EXPANDED_WINDOWS_HPP
#define INLAY_BACKEND_CPU_SIMD_EXPANDED_WINDOWS_HPP

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_simd/channel_rows.hpp>
#include <inlay/backend/cpu_simd/image_order.hpp>
#include <inlay/backend/cpu_simd/kernel_epilogue.hpp>
#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/backend/cpu_simd/panels.hpp>
#include <inlay/backend/cpu_simd/pointwise_stage.hpp>
#include <inlay/backend/cpu_simd/window_tiles.hpp>
#include <inlay/backend/expanded_depthwise.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/codegen/kernel/weight_store.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::simd {

/// A 1 x 1 convolution, which may be missing, and a depthwise one that reads it, within one kernel. The expanded tensor never stands in
/// memory: its channels go in runs, a panel of the first filter each or a few, and a run's rows wait for the windows in a buffer.
struct expanded_windows {
    const kernel_table* table = nullptr;
    std::ptrdiff_t images = 1;
    std::size_t input = 0;
    image_order x;
    std::optional<pointwise_stage> expand;
    channel_rows window;   // from the expanded rows, or x, to the results
    panels window_filter;  // panels of one vector
    kernel_epilogue window_after;
    std::ptrdiff_t run_channels = 1;  // of a run

    /// Rows of its input that windows of `count` rows of results span.
    [[nodiscard]] static std::ptrdiff_t rows_spanned(const window_shape& s, std::ptrdiff_t count) {
        return (count - 1) * s.strides[1] + (s.kernel[1] - 1) * s.dilations[1] + 1;
    }

    /// How many rows of results a task takes where `units` of all rows are shared out: as many tasks as threads; twice as many where at
    /// most a quarter of the rows is expanded twice for it.
    [[nodiscard]] static std::ptrdiff_t rows_of_task(const window_shape& s, bool expands, std::ptrdiff_t units, std::ptrdiff_t threads) {
        const std::ptrdiff_t height = s.y[1];
        if (threads < 2 || units >= 2 * threads) return height;
        const std::ptrdiff_t twice = expands ? std::max<std::ptrdiff_t>(rows_spanned(s, 1) - s.strides[1], 0) : 0;
        const auto pieces = [&](std::ptrdiff_t wanted) { return std::min((wanted + units - 1) / units, height); };
        const bool many = pieces(2 * threads) * twice * 4 <= height * s.strides[1];
        const std::ptrdiff_t count = pieces(many ? 2 * threads : threads);
        return (height + count - 1) / count;
    }
    /// How many rows of results a strip of a task has: as many as `fits` says, in about even strips.
    template <class Fits>
    [[nodiscard]] static std::ptrdiff_t rows_of_strip(std::ptrdiff_t task_rows, Fits&& fits) {
        std::ptrdiff_t rows = 1;
        while (rows < task_rows && fits(rows + 1)) ++rows;
        const std::ptrdiff_t strips = (task_rows + rows - 1) / rows;
        return (task_rows + strips - 1) / strips;
    }

    /// In blocks of channels, or channels last, throughout; none without kernels.
    [[nodiscard]] static std::vector<border_formats> offered(const kernel_table* table, const region_view& r) {
        if (table == nullptr) return {};
        return {detail::borders_in(r, blocks_for(table->lanes)), detail::borders_in(r, layout::channels_last())};
    }

    [[nodiscard]] std::ptrdiff_t runs() const { return (window.shape.outputs + run_channels - 1) / run_channels; }

    /// How many operations so many rows of the result take.
    [[nodiscard]] double operations(std::ptrdiff_t count) const {
        const window_shape& s = window.shape;
        const double windows = 2.0 * static_cast<double>(s.kernel[1] * s.kernel[2] * s.outputs * s.y[2] * count);
        return windows + (expand ? expand->operations(count * s.strides[1] * s.x[2]) : 0);
    }

    /// Packs the filters of what was read off a region and binds what follows them, `window` being set. So many rows of results are
    /// computed at one time. Error: no memory.
    [[nodiscard]] outcome<void> pack(const detail::expanded_depthwise& p, const region_view& r, kernel_epilogue expand_after,
                                     std::ptrdiff_t rows, weight_store* store) {
        const window_shape& s = window.shape;
        const detail::anchored_convolution& d = p.depthwise;
        const error no_memory{"there is no memory for the packed weights"};
        run_channels = blocks_for(table->lanes).block;
        if (p.expand) {
            if (auto bound = expand_after.bind(r, p.expand->y_extents, 1, window.x.order); !bound) return bound.failure();
            const std::ptrdiff_t places = std::min(rows * s.strides[1], s.x[1]) * s.x[2];
            expand = pointwise_stage::of(*p.expand, *table, x, window.x, places, std::move(expand_after), store);
            if (expand->filter.is_empty()) return no_memory;
            run_channels = std::lcm(run_channels, static_cast<std::ptrdiff_t>(expand->filter.width()));
        }
        if (auto bound = window_after.bind(r, d.y_extents, 1, window.y.order); !bound) return bound.failure();
        const auto places = static_cast<std::size_t>(s.kernel[1] * s.kernel[2]), channels = static_cast<std::size_t>(window.y.channels);
        window_filter = panels(places, static_cast<std::size_t>(window.y.stored()), 1, table->lanes);
        if (window_filter.is_empty()) return no_memory;
        const auto weights = d.weights->as<float>();
        for (std::size_t c = 0; c < channels; ++c) {
            for (std::size_t i = 0; i < places; ++i)
                window_filter.set(i, c, static_cast<float>(static_cast<double>(weights[c * places + i]) * d.line.scale[c]));
            window_filter.set_bias(c, static_cast<float>(d.line.shift[c]));
        }
        return {};
    }

    /// Which rows of an expanded image stand in a buffer for the next strip of rows of results.
    struct kept_rows {
        std::ptrdiff_t image = -1;
        std::ptrdiff_t top = 0;   // the image's row that stands at the beginning, or would
        std::ptrdiff_t past = 0;  // the image's row behind the last one that stands there
    };
    /// A strip: rows `first` to `past` of the result, and what they read.
    struct strip {
        std::ptrdiff_t image, first, past;
        std::ptrdiff_t top;         // the image's row that stands at the buffer's beginning, or would
        std::ptrdiff_t ready, end;  // rows of the image from which on and up to which it is to be expanded
        std::ptrdiff_t next, kept;  // the row that the next strip begins at, and the first one from there on that exists

        /// What the buffer holds for the strip behind it.
        [[nodiscard]] kept_rows left() const { return {image, next, end}; }
    };
    [[nodiscard]] strip strip_of(const kept_rows& there, std::ptrdiff_t image, std::ptrdiff_t first, std::ptrdiff_t past) const {
        const window_shape& w = window.shape;
        strip s{image, first, past, first * w.strides[1] - w.before[1], 0, 0, past * w.strides[1] - w.before[1], 0};
        const std::ptrdiff_t begin = std::clamp<std::ptrdiff_t>(s.top, 0, w.x[1]);
        s.end = std::clamp(s.top + rows_spanned(w, past - first), begin, w.x[1]);
        s.ready = there.image == image && there.top == s.top ? std::clamp(there.past, begin, s.end) : begin;
        s.kept = std::clamp<std::ptrdiff_t>(s.next, 0, s.end);
        return s;
    }

    /// The same in one run of the kernel.
    class pass {
    public:
        pass(const expanded_windows& k, const run_arguments& a)
            : k_(k), from_(static_cast<const float*>(a.inputs[k.input])), window_last_(k.window_after.at(a)) {
            if (k.expand) expand_last_ = k.expand->after.at(a);
        }

        /// Expands rows of an image for the run that begins at a channel. `to` is where the image's row 0 of this channel would stand.
        void widen_rows(std::ptrdiff_t image, std::ptrdiff_t begin, std::ptrdiff_t first, std::ptrdiff_t past, float* to) const {
            if (first >= past) return;
            const pointwise_stage& e = *k_.expand;
            const auto width = static_cast<std::ptrdiff_t>(e.filter.width());
            const std::ptrdiff_t last = std::min(begin + k_.run_channels, e.to.stored());
            const float* read = from_ + image * k_.x.image + first * k_.x.stride[1];
            for (std::ptrdiff_t c = begin; c < last; c += width) {
                float* made = to + first * e.to.stride[1] + e.to.channel(c) - e.to.channel(begin);
                e.compute(static_cast<std::size_t>(c / width), (past - first) * k_.x.extents[2], read, made, made, expand_last_);
            }
        }

        /// Rows of windows over channels. `from` and `to` are where row 0 of the first of them would stand.
        void windows(std::ptrdiff_t begin, std::ptrdiff_t last, std::ptrdiff_t first, std::ptrdiff_t past, const float* from,
                     float* to) const {
            const channel_rows& w = k_.window;
            const auto lanes = static_cast<std::ptrdiff_t>(w.lanes);
            depthwise_job j;
            w.set_window(j);
            // Whole vectors are read and written where both have fill behind the last channel.
            j.fills = w.x.fills() && w.y.fills();
            for (std::ptrdiff_t c = begin; c < last; c += lanes) {
                j.weights = k_.window_filter.at(static_cast<std::size_t>(c / lanes));
                j.bias = k_.window_filter.bias(static_cast<std::size_t>(c / lanes));
                const float* read = from + w.x.channel(c) - w.x.channel(begin);
                float* made = to + w.y.channel(c) - w.y.channel(begin);
                for (std::ptrdiff_t row = first; row < past; ++row) {
                    w.set_row(j, read, made, c, row);
                    window_last_.give(j, j.y, j.y, static_cast<std::size_t>(c));
                    k_.table->depthwise(j);
                }
            }
        }

        /// A run of channels up to `last` of a strip. `wide` is where the run's expanded rows of the strip stand; `to` where row 0 of its
        /// results would stand.
        void some_rows(const strip& s, std::ptrdiff_t channel, std::ptrdiff_t last, float* wide, float* to) const {
            const image_order &expanded = k_.window.x, &narrow = k_.window.y;
            const std::ptrdiff_t row = expanded.stride[1], step = blocks_for(k_.window.lanes).block;
            if (k_.expand) widen_rows(s.image, channel, s.ready, s.end, wide - s.top * row);
            // A block at a time, so that rows for the next strip are moved while they are in the first cache.
            for (std::ptrdiff_t c = channel; c < last; c += step) {
                float* at = wide + expanded.channel(c) - expanded.channel(channel);
                windows(c, std::min(c + step, last), s.first, s.past, k_.expand ? at - s.top * row : image(s.image) + k_.x.channel(c),
                        to + narrow.channel(c) - narrow.channel(channel));
                if (k_.expand && s.past < k_.window.shape.y[1])
                    std::memmove(at + (s.kept - s.next) * row, at + (s.kept - s.top) * row,
                                 static_cast<std::size_t>((s.end - s.kept) * row) * sizeof(float));
            }
        }

        /// Where an image of the input begins.
        [[nodiscard]] const float* image(std::ptrdiff_t number) const { return from_ + number * k_.x.image; }

    private:
        const expanded_windows& k_;
        const float* from_;
        kernel_epilogue::ready expand_last_, window_last_;
    };
};

}  // namespace inlay::simd

#endif
