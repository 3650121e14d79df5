// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_POOL_HPP
#define INLAY_BACKEND_CPU_SIMD_POOL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_simd/channel_rows.hpp>
#include <inlay/backend/cpu_simd/image_order.hpp>
#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/backend/cpu_simd/window_tiles.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/pooling.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::simd {

/// Maximum or mean of windows over images, a vector of channels at a time. The state of a kernel.
struct window_pool {
    const kernel_table* table = nullptr;
    channel_rows rows;
    bool average = false, counts_pads = false;

    [[nodiscard]] bool run(const run_arguments& a) const {
        const window_shape& s = rows.shape;
        const double work = 4.0 * static_cast<double>(s.y[2] * s.kernel[1] * s.kernel[2]) * static_cast<double>(table->lanes);
        rows.for_each<pool_job>(static_cast<const float*>(a.inputs[0]), static_cast<float*>(a.results[0]), a.executor, work,
                                [&](pool_job& j, std::ptrdiff_t) {
                                    j.average = average;
                                    j.counted = counts_pads ? static_cast<std::size_t>(s.kernel[1] * s.kernel[2]) : 0;
                                    table->pool(j);
                                });
        return true;
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
        const layout blocked = blocks_for(self.table()->lanes);
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
        const auto channels = static_cast<std::ptrdiff_t>(p.x_extents[1]);
        k.rows.images = static_cast<std::ptrdiff_t>(p.x_extents[0]);
        k.rows.lanes = k.table->lanes;
        k.rows.x = image_order::of(order, channels, spatial_of(p.x_extents, 1, 2));
        k.rows.y = image_order::of(order, channels, spatial_of(p.y_extents, 1, 2));
        k.rows.shape = shape_of(p.window, channels, channels, k.rows.x.extents, k.rows.y.extents);
        k.average = p.average;
        k.counts_pads = p.counts_pads;
        return self.finish(std::move(k), "pool");
    }
};

}  // namespace inlay::simd

#endif
