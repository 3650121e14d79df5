// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_RESIZE_HPP
#define INLAY_BACKEND_CPU_SIMD_RESIZE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_simd/image_order.hpp>
#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/backend/cpu_simd/sharing.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/resizing.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/ops/loops/resize_taps.hpp>

namespace inlay::simd {

/// What the places of one axis of a resized image are made of: the same number of elements each, their offsets in floats and weights.
struct axis_blend {
    std::size_t terms = 1;
    std::vector<std::ptrdiff_t> at;  // places x terms
    std::vector<float> weight;       // likewise

    [[nodiscard]] static axis_blend of(const std::vector<resize_tap>& taps, std::ptrdiff_t stride) {
        axis_blend made;
        for (const resize_tap& t : taps)
            for (std::size_t i = 0; i < t.at.size(); ++i)
                if (t.weight[i] != 0) made.terms = std::max(made.terms, i + 1);
        for (const resize_tap& t : taps)
            for (std::size_t i = 0; i < made.terms; ++i) {
                made.at.push_back(t.at[i < t.at.size() ? i : 0] * stride);
                made.weight.push_back(i < t.at.size() ? static_cast<float>(t.weight[i]) : 0.0f);
            }
        return made;
    }
};

/// Images resized over their spatial axes, each place of a result a sum of weighted places, all channels alike. The state of a kernel.
struct image_resize {
    const kernel_table* table = nullptr;
    image_order x, y;
    std::ptrdiff_t images = 0;
    std::array<axis_blend, 3> axes;

    [[nodiscard]] bool run(const run_arguments& a) const {
        const auto* from = static_cast<const float*>(a.inputs[0]);
        auto* to = static_cast<float*>(a.results[0]);
        const std::ptrdiff_t run = y.fills() ? y.order.block : y.channels, runs = y.stored() / std::max<std::ptrdiff_t>(run, 1);
        const std::size_t rows = static_cast<std::size_t>(images * runs * y.extents[0] * y.extents[1]);
        const std::size_t terms = axes[0].terms * axes[1].terms * axes[2].terms;
        const double work = static_cast<double>(y.extents[2] * run) * 4 * static_cast<double>(terms + 1);
        share(a.executor, rows, work, [&](std::size_t begin, std::size_t end) {
            for (std::size_t u = begin; u < end; ++u) one_row(from, to, static_cast<std::ptrdiff_t>(u), run, runs);
        });
        return true;
    }

private:
    void one_row(const float* from, float* to, std::ptrdiff_t unit, std::ptrdiff_t run, std::ptrdiff_t runs) const {
        const std::ptrdiff_t h = unit % y.extents[1], d = unit / y.extents[1] % y.extents[0], block = unit / (y.extents[0] * y.extents[1]);
        const std::ptrdiff_t image = block / runs, channel = block % runs * run;
        const float* plane = from + image * x.image + x.channel(channel);
        resize_job j;
        for (std::size_t k = 0; k < axes[0].terms; ++k)
            for (std::size_t i = 0; i < axes[1].terms; ++i) {
                const std::size_t deep = static_cast<std::size_t>(d) * axes[0].terms + k,
                                  high = static_cast<std::size_t>(h) * axes[1].terms + i;
                j.row_weight[j.rows] = axes[0].weight[deep] * axes[1].weight[high];
                j.x[j.rows++] = plane + axes[0].at[deep] + axes[1].at[high];
            }
        j.at = axes[2].at.data();
        j.weight = axes[2].weight.data();
        j.terms = axes[2].terms;
        j.places = static_cast<std::size_t>(y.extents[2]);
        j.count = static_cast<std::size_t>(run);
        j.y = to + image * y.image + y.channel(channel) + d * y.stride[0] + h * y.stride[1];
        j.y_place = y.stride[2];
        table->resize(j);
    }
};

/// `onnx.Resize` over spatial axes as the third part of a composite: any rule but one that leaves places without an element.
struct resize_entry {
    struct plan {
        std::vector<std::int64_t> x_extents, y_extents;
        std::vector<std::vector<resize_tap>> taps;  // by spatial axis
    };

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        const region_view& r = m.region();
        if (auto fine = detail::check_one_call(r, 5, "resize"); !fine) return fine.failure();
        const region_value& c = r[r.results[0]];
        plan p{static_shape(r.type(c.operands[0])), static_shape(r.type(r.results[0])), {}};
        const std::size_t rank = p.x_extents.size();
        if (rank < 3) return error{"Resize of a tensor of rank " + std::to_string(rank) + "; the kernels take 3 to 5"};
        const auto defined = detail::defined_resize_of(r, c, p.y_extents);
        if (!defined) return defined.failure();
        std::size_t rows = 1;  // of an image that a place of the result reads
        for (std::size_t i = 0; i < rank; ++i) {
            const resized_axis& axis = defined->axes[i];
            if (p.x_extents[i] == 0) return error{"Resize of a tensor without elements"};
            if (i < 2) {
                if (!detail::is_carried_along(axis)) return error{"Resize changes the batch or the channels"};
                continue;
            }
            p.taps.push_back(resize_taps(axis, defined->rule));
            std::size_t most = 1;
            for (const resize_tap& t : p.taps.back()) {
                if (t.outside) return error{"Resize has places beyond the image, which have no element"};
                most = std::max(most, t.at.size());
            }
            if (i + 1 < rank) rows *= most;
        }
        if (rows > std::size(resize_job().x))
            return error{"Resize reads " + std::to_string(rows) + " rows for each place; the kernels take " +
                         std::to_string(std::size(resize_job().x))};
        return p;
    }

    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan&, const region_view& r) const {
        std::vector<border_formats> list;
        if (self.table() == nullptr) return list;
        for (const layout& l : {blocks_for(self.table()->lanes), layout::channels_last()}) list.push_back(detail::borders_in(r, l));
        return list;
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        image_resize k;
        k.table = self.table();
        const layout order = r.input_formats[0].order;
        const auto channels = static_cast<std::ptrdiff_t>(p.x_extents[1]);
        k.images = static_cast<std::ptrdiff_t>(p.x_extents[0]);
        k.x = image_order::of(order, channels, spatial_of(p.x_extents, 1, 2));
        k.y = image_order::of(order, channels, spatial_of(p.y_extents, 1, 2));
        const std::size_t missing = 3 - p.taps.size();
        for (std::size_t i = 0; i < 3; ++i)
            k.axes[i] = axis_blend::of(i < missing ? std::vector<resize_tap>(1) : p.taps[i - missing], k.x.stride[i]);
        return self.finish(std::move(k), "resize");
    }
};

}  // namespace inlay::simd

#endif
