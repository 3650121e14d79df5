// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_POOL_HPP
#define INLAY_BACKEND_ONEDNN_POOL_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/float_region.hpp>
#include <inlay/backend/image_slices.hpp>
#include <inlay/backend/kernel_slices.hpp>
#include <inlay/backend/onednn/program.hpp>
#include <inlay/backend/pooling.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::detail {

/// Pooling: maximum and average over windows or over all places, the latter also where it is spelled as a mean over the spatial axes.
struct onednn_pool {
    struct plan : pooling {
        std::size_t x_byte = 0, y_byte = 0;  // of a slice in the input and in the result
    };

    static constexpr int most_averaged = 1 << 14;

    static constexpr auto pattern_of_pool() { return pattern_of_pooling; }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_one_call(r, onednn_most_axes, "pooling"); !fine) return fine.failure();
        auto found = read_pooling(r, r.results[0], 3, 5);
        if (!found) return found.failure();
        plan p{*std::move(found)};
        const spatial_window& w = p.window;
        // The library adds up in float32, one number behind the other: so many of about one size lose up to their number by 2^24 of the
        // mean.
        double places = 1;
        for (const std::int64_t k : w.kernel) places *= static_cast<double>(k);
        if (p.average && places > most_averaged)
            return error{"an average over more than " + std::to_string(most_averaged) + " places, of which the library loses digits"};
        if (p.global) return p;
        for (std::size_t i = 0; i < w.kernel.size(); ++i) {
            if (w.dilations[i] != 1)
                return error{"dilation " + std::to_string(w.dilations[i]) + " of axis " + std::to_string(i) + "; the library pools with 1"};
            if (w.begin[i] >= w.kernel[i] || w.end[i] >= w.kernel[i])
                return error{"pads of " + std::to_string(w.begin[i]) + " and " + std::to_string(w.end[i]) + " are not below the window's " +
                             std::to_string(w.kernel[i])};
        }
        const auto given = read_spatial_window(*r[r.results[0]].attributes, w.kernel);
        if (!given) return given.failure();
        if (p.counts_pads && p.ceiling && w.end != given->end) return error{"an average that counts pads has windows beyond them"};
        return p;
    }

    /// The same layout on both sides. A result of one place per channel lies the same in several: it may leave row-major, too.
    [[nodiscard]] static std::vector<border_formats> proposals(const plan& p, const region_view& r) {
        std::vector<border_formats> list;
        for (const layout& l : onednn_layouts(p.x_extents.size())) {
            border_formats b = borders_in(r, l);
            if (!p.dropped) list.push_back(b);
            b.results[0].order = layout::plain();
            if (p.global && lies_the_same(p, l) && (p.dropped || l != layout::plain())) list.push_back(b);
        }
        return list;
    }

    using description = onednn_primitive;

    [[nodiscard]] static outcome<description> describe(const plan& p, const region_view&, const dnnl::engine& engine,
                                                       const border_formats& b) {
        const layout &in = b.inputs[0].order, &out = b.results[0].order;
        const bool renamed = in != out && out == layout::plain() && p.global && lies_the_same(p, in);
        if (!onednn_has_layout(p.x_extents.size(), in) || (in != out && !renamed)) return error{"oneDNN pools within one layout"};
        const spatial_window& w = p.window;
        const auto how = !p.average      ? dnnl::algorithm::pooling_max
                         : p.counts_pads ? dnnl::algorithm::pooling_avg_include_padding
                                         : dnnl::algorithm::pooling_avg_exclude_padding;
        const dnnl::memory::dims gaps(w.kernel.size(), 0);
        return onednn_primitive::ask<dnnl::pooling_forward>(engine, "pooling", onednn_attributes(), dnnl::prop_kind::forward_inference, how,
                                                            onednn_desc(p.x_extents, in), onednn_desc(p.y_extents, in), w.strides, w.kernel,
                                                            gaps, w.begin, w.end);
    }

    [[nodiscard]] static outcome<kernel> build(const plan& p, const description& d, const region_view&, const border_formats&,
                                               onednn_program program) {
        program.step(d,
                     {{DNNL_ARG_SRC, program.input(0, d.src_desc(), p.x_byte)}, {DNNL_ARG_DST, program.result(0, d.dst_desc(), p.y_byte)}});
        return onednn_program::finish(std::move(program));
    }

    /// Some of the planes, images or rows of a pooling.
    struct slice {
        plan p;

        [[nodiscard]] const plan& view() const { return p; }
    };
    /// Slices that lie in one run of bytes each: row-major or in blocks, planes of channels; with the channels last, images or rows.
    [[nodiscard]] static std::vector<slice> slices(const plan& p, const region_view&, const border_formats& b, int threads) {
        const layout& in = b.inputs[0].order;
        const auto per_row = [](const std::vector<std::int64_t>& e) {
            return std::accumulate(e.begin() + 3, e.end(), std::int64_t{1}, std::multiplies<>());
        };
        // What one row of a channel reads.
        std::int64_t reads = per_row(p.y_extents);
        for (const std::int64_t n : p.window.kernel) reads *= n;
        std::vector<slice> list;
        if (in == layout::channels_last()) {
            const std::int64_t least = least_outputs(worth_sharing, reads * p.x_extents[1]);
            for (const image_slice& part : image_slices(p.y_extents[0], p.y_extents[2], least, threads)) {
                slice s{p};
                const auto before = cut_to(part, s.p.window, s.p.x_extents, s.p.y_extents);
                if (!before) return {};
                s.p.x_byte = before->x * sizeof(float);
                s.p.y_byte = before->y * sizeof(float);
                list.push_back(std::move(s));
            }
            return list;
        }
        const std::int64_t block = in == layout::plain() ? 1 : std::int64_t{in.block};
        const std::int64_t planes = p.x_extents[0] * ((p.x_extents[1] + block - 1) / block * block);
        const std::vector<std::int64_t> cuts = slice_cuts(planes, block, least_outputs(worth_sharing, reads * p.y_extents[2]), threads);
        const std::int64_t x_plane = p.x_extents[2] * per_row(p.x_extents), y_plane = p.y_extents[2] * per_row(p.y_extents);
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
            slice s{p};
            s.p.x_extents[0] = s.p.y_extents[0] = 1;
            s.p.x_extents[1] = s.p.y_extents[1] = cuts[i + 1] - cuts[i];
            s.p.x_byte = static_cast<std::size_t>(cuts[i] * x_plane) * sizeof(float);
            s.p.y_byte = static_cast<std::size_t>(cuts[i] * y_plane) * sizeof(float);
            list.push_back(std::move(s));
        }
        return list;
    }

private:
    /// How many elements a slice reads at least: below, handing it over takes longer than it saves.
    static constexpr std::int64_t worth_sharing = std::int64_t{1} << 16;

    /// Whether one place per channel lies in this layout as it lies row-major.
    [[nodiscard]] static bool lies_the_same(const plan& p, const layout& l) {
        return l.kind != layout::form::channels_blocked || p.y_extents[1] % l.block == 0;
    }
};

}  // namespace inlay::detail

#endif
