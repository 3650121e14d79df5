// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_POOL_HPP
#define INLAY_BACKEND_CPU_SIMD_POOL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_simd/image_order.hpp>
#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/backend/cpu_simd/sharing.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/pooling.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel.hpp>

namespace inlay::simd {

/// Maximum or mean of windows over images, a vector of channels at a time. The state of a kernel.
struct window_pool {
    const kernel_table* table = nullptr;
    image_order x, y;
    std::ptrdiff_t images = 1, channels = 1;
    spatial kernel{1, 1, 1}, strides{1, 1, 1}, dilations{1, 1, 1}, before{0, 0, 0}, after{0, 0, 0};
    bool average = false, counts_pads = false;

    [[nodiscard]] bool run(const run_arguments& a) const {
        const auto* from = static_cast<const float*>(a.inputs[0]);
        auto* to = static_cast<float*>(a.results[0]);
        const auto step = static_cast<std::ptrdiff_t>(table->lanes);
        const std::ptrdiff_t stored = y.fills() ? (channels + y.order.block - 1) / y.order.block * y.order.block : channels;
        const std::ptrdiff_t vectors = (stored + step - 1) / step, rows = y.extents[1];
        const double work = static_cast<double>(y.extents[2] * kernel[1] * kernel[2] * step) * 4;
        share(a.executor, static_cast<std::size_t>(images * vectors * rows), work, [&](std::size_t begin, std::size_t end) {
            for (std::size_t u = begin; u < end; ++u) {
                const auto unit = static_cast<std::ptrdiff_t>(u);
                one_row(from, to, unit / rows / vectors, unit / rows % vectors * step, unit % rows);
            }
        });
        return true;
    }

private:
    void one_row(const float* from, float* to, std::ptrdiff_t image, std::ptrdiff_t channel, std::ptrdiff_t row) const {
        const std::ptrdiff_t top = row * strides[1] - before[1], d = dilations[1];
        pool_job j;
        j.x = from + image * x.image + x.channel(channel) + top * x.stride[1];
        j.x_row = d * x.stride[1];
        j.x_place = x.stride[2];
        j.y = to + image * y.image + y.channel(channel) + row * y.stride[1];
        j.y_place = y.stride[2];
        const std::ptrdiff_t first = top < 0 ? std::min((-top + d - 1) / d, kernel[1]) : 0;
        const std::ptrdiff_t past = std::clamp((x.extents[1] - top + d - 1) / d, first, kernel[1]);
        j.rows_begin = static_cast<std::size_t>(first);
        j.rows_end = static_cast<std::size_t>(past);
        j.window_columns = static_cast<std::size_t>(kernel[2]);
        j.stride = static_cast<std::size_t>(strides[2]);
        j.dilation = static_cast<std::size_t>(dilations[2]);
        j.places = static_cast<std::size_t>(y.extents[2]);
        j.width = static_cast<std::size_t>(x.extents[2]);
        j.before = before[2];
        j.columns = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(channels - channel, 0, static_cast<std::ptrdiff_t>(table->lanes)));
        j.fills = y.fills();
        j.average = average;
        j.counted = counts_pads ? static_cast<std::size_t>(kernel[1] * kernel[2]) : 0;
        table->pool(j);
    }
};

/// Pooling as the third part of a composite.
struct pool_entry {
    using plan = detail::pooling;

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        const region_view& r = m.region();
        if (auto fine = detail::check_one_call(r, 8, "pooling"); !fine) return fine.failure();
        auto p = detail::read_pooling(r, r.results[0], 3, 4);
        if (!p || p->global) return p;
        const auto given = detail::read_spatial_window(*r[r.results[0]].attributes, p->window.kernel);
        if (!given) return given.failure();
        if (p->counts_pads && p->ceiling && p->window.end != given->end)
            return error{"an average that counts pads has windows beyond them"};
        for (std::size_t i = 0; i < p->window.kernel.size(); ++i)
            if (p->window.begin[i] >= p->window.span(i) || p->window.end[i] >= p->window.span(i))
                return error{"pads of " + std::to_string(p->window.begin[i]) + " and " + std::to_string(p->window.end[i]) +
                             " leave windows without an element"};
        return p;
    }

    /// One layout on both sides; a result of one place for each channel may leave row-major.
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan& p, const region_view& r) const {
        std::vector<border_formats> list;
        if (self.table() == nullptr) return list;
        const layout blocked = layout::channels_blocked(static_cast<std::uint8_t>(std::max<std::size_t>(self.table()->lanes, 8)));
        for (const layout& l : {blocked, layout::channels_last()}) {
            border_formats b = detail::borders_in(r, l);
            if (!p.dropped) list.push_back(b);
            b.results[0].order = layout::plain();
            if (p.global && (l.kind != layout::form::channels_blocked || p.y_extents[1] % l.block == 0)) list.push_back(b);
        }
        return list;
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        window_pool k;
        k.table = self.table();
        const layout order = r.input_formats[0].order;
        k.channels = static_cast<std::ptrdiff_t>(p.x_extents[1]);
        k.images = static_cast<std::ptrdiff_t>(p.x_extents[0]);
        k.x = image_order::of(order, k.channels, spatial_of(p.x_extents, 1, 2));
        k.y = image_order::of(order, k.channels, spatial_of(p.y_extents, 1, 2));
        k.kernel = spatial_of(p.window.kernel, 1);
        k.strides = spatial_of(p.window.strides, 1);
        k.dilations = spatial_of(p.window.dilations, 1);
        k.before = spatial_of(p.window.begin, 0);
        k.average = p.average;
        k.counts_pads = p.counts_pads;
        kernel made(std::move(k));
        made.note = std::string(name_of(self.table()->set)) + " pool";
        return self.finish(std::move(made));
    }
};

}  // namespace inlay::simd

#endif
