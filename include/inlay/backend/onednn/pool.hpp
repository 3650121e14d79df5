// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_POOL_HPP
#define INLAY_BACKEND_ONEDNN_POOL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/float_region.hpp>
#include <inlay/backend/onednn/program.hpp>
#include <inlay/backend/pooling.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel.hpp>

namespace inlay::detail {

/// Pooling: maximum and average over windows or over all places, the latter also where it is spelled as a mean over the spatial axes.
struct onednn_pool {
    using plan = pooling;

    static constexpr auto pattern_of_pool() { return pattern_of_pooling; }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_one_call(r, onednn_most_axes, "pooling"); !fine) return fine.failure();
        auto p = read_pooling(r, r.results[0], 3, 5);
        if (!p || p->global) return p;
        const spatial_window& w = p->window;
        for (std::size_t i = 0; i < w.kernel.size(); ++i) {
            if (w.dilations[i] != 1)
                return error{"dilation " + std::to_string(w.dilations[i]) + " of axis " + std::to_string(i) + "; the library pools with 1"};
            if (w.begin[i] >= w.kernel[i] || w.end[i] >= w.kernel[i])
                return error{"pads of " + std::to_string(w.begin[i]) + " and " + std::to_string(w.end[i]) + " are not below the window's " +
                             std::to_string(w.kernel[i])};
        }
        const auto given = read_spatial_window(*r[r.results[0]].attributes, w.kernel);
        if (!given) return given.failure();
        if (p->counts_pads && p->ceiling && w.end != given->end) return error{"an average that counts pads has windows beyond them"};
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
        const dnnl::pooling_forward::desc op(dnnl::prop_kind::forward_inference, how, onednn_desc(p.x_extents, in),
                                             onednn_desc(p.y_extents, in), w.strides, w.kernel, w.begin, w.end);
        return onednn_primitive::ask<dnnl::pooling_forward>(op, engine, "pooling");
    }

    [[nodiscard]] static outcome<kernel> build(const plan&, const description& d, const region_view&, const border_formats&,
                                               onednn_program program) {
        return d.alone(std::move(program));
    }

private:
    /// Whether one place per channel lies in this layout as it lies row-major.
    [[nodiscard]] static bool lies_the_same(const plan& p, const layout& l) {
        return l.kind != layout::form::channels_blocked || p.y_extents[1] % l.block == 0;
    }
};

}  // namespace inlay::detail

#endif
