// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_POOL_HPP
#define INLAY_BACKEND_ONEDNN_POOL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/float_region.hpp>
#include <inlay/backend/onednn/program.hpp>
#include <inlay/backend/spatial_window.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel.hpp>
#include <inlay/ops/attributes/reduction_attributes.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Pooling: maximum and average over windows or over all places, the latter also where it is spelled as a mean over the spatial axes.
struct onednn_pool {
    struct plan {
        dnnl::algorithm how = dnnl::algorithm::pooling_max;
        spatial_window window;
        std::vector<std::int64_t> x_extents, y_extents;  // y with its spatial axes, even where the operator drops them
        bool global = false;
        bool dropped = false;  // the result has no spatial axes
    };

    static constexpr auto pattern_of_pool() {
        return dsl::call_on<1, "onnx.MaxPool", "onnx.AveragePool", "onnx.GlobalAveragePool", "onnx.GlobalMaxPool", "onnx.ReduceMean",
                            "onnx.ReduceMax">(dsl::any);
    }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_one_call(r, onednn_most_axes, "pooling"); !fine) return fine.failure();
        const region_value& c = r[r.results[0]];
        plan p;
        p.x_extents = static_shape(r.type(c.operands[0]));
        p.y_extents = static_shape(r.type(r.results[0]));
        const std::size_t rank = p.x_extents.size();
        if (rank < 3 || rank > 5)
            return error{std::string(c.op) + " of a tensor of rank " + std::to_string(rank) + "; the library takes 3 to 5"};
        const bool average = c.op == "onnx.AveragePool" || c.op == "onnx.GlobalAveragePool" || c.op == "onnx.ReduceMean";
        p.how = average ? dnnl::algorithm::pooling_avg_exclude_padding : dnnl::algorithm::pooling_max;
        if (c.op == "onnx.MaxPool" || c.op == "onnx.AveragePool") return over_windows(*c.attributes, std::move(p), average);
        if (c.op == "onnx.ReduceMean" || c.op == "onnx.ReduceMax") {
            if (auto fine = spatial_axes(r, c, rank); !fine) return fine.failure();
            p.dropped = !inlay::read<reduce_attributes>(*c.attributes).keepdims;
        }
        p.global = true;
        p.window = spatial_window::over({p.x_extents.begin() + 2, p.x_extents.end()});
        p.window.strides = p.window.kernel;
        p.y_extents = {p.x_extents[0], p.x_extents[1]};
        p.y_extents.resize(rank, 1);
        return p;
    }

    /// The same layout on both sides. A result of one place per channel lies the same in several: it may leave row-major, too.
    [[nodiscard]] static std::vector<border_formats> proposals(const plan& p, const region_view& r) {
        std::vector<border_formats> list;
        const layout blocked = layout::channels_blocked(onednn_block());
        for (const layout& l : {blocked, layout::channels_last(), layout::plain()}) {
            border_formats b = plain_borders(r);
            b.inputs[0].order = l;
            if (!p.dropped) {
                b.results[0].order = l;
                list.push_back(b);
            }
            b.results[0].order = layout::plain();
            if (p.global && lies_the_same(p, l) && (p.dropped || l != layout::plain())) list.push_back(b);
        }
        return list;
    }

    struct description {
        dnnl::pooling_forward::primitive_desc pooling;
        [[nodiscard]] bool is_reference() const { return onednn_is_reference(pooling.impl_info_str()); }
    };

    [[nodiscard]] static outcome<description> describe(const plan& p, const region_view&, const dnnl::engine& engine,
                                                       const border_formats& b) {
        const layout &in = b.inputs[0].order, &out = b.results[0].order;
        const bool renamed = in != out && out == layout::plain() && p.global && lies_the_same(p, in);
        if (!onednn_has_layout(p.x_extents.size(), in) || (in != out && !renamed)) return error{"oneDNN pools within one layout"};
        const spatial_window& w = p.window;
        const dnnl::pooling_forward::desc op(dnnl::prop_kind::forward_inference, p.how, onednn_desc(p.x_extents, in),
                                             onednn_desc(p.y_extents, in), w.strides, w.kernel, w.begin, w.end);
        dnnl::pooling_forward::primitive_desc made(op, onednn_attributes(), engine, true);
        if (!made) return error{"oneDNN has no pooling of this form"};
        return description{std::move(made)};
    }

    [[nodiscard]] static outcome<kernel> build(const plan&, const description& d, const region_view&, const border_formats&,
                                               onednn_program program) {
        const dnnl::memory x = program.input(0, d.pooling.src_desc()), y = program.result(0, d.pooling.dst_desc());
        program.step(dnnl::pooling_forward(d.pooling), d.pooling, {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}});
        return onednn_program::finish(std::move(program));
    }

private:
    /// Whether one place per channel lies in this layout as it lies row-major.
    [[nodiscard]] static bool lies_the_same(const plan& p, const layout& l) {
        return l.kind != layout::form::channels_blocked || p.y_extents[1] % l.block == 0;
    }

    [[nodiscard]] static outcome<plan> over_windows(const attribute_map& attributes, plan p, bool average) {
        const auto stated = inlay::read<max_pool_attributes>(attributes).kernel_shape;
        const std::vector<std::int64_t> kernel(stated.begin(), stated.end());
        if (kernel.size() + 2 != p.x_extents.size()) return error{"kernel_shape is not given for every spatial axis"};
        if (p.y_extents.size() != p.x_extents.size()) return error{"the pooling has several outputs"};
        if (inlay::read<max_pool_attributes>(attributes).storage_order != 0) return error{"storage_order is 1"};
        const auto given = read_spatial_window(attributes, kernel);
        if (!given) return given.failure();
        const bool ceiling = inlay::read<max_pool_attributes>(attributes).ceil_mode;
        auto window = window_between(attributes, p.x_extents, p.y_extents, kernel, ceiling);
        if (!window) return window.failure();
        p.window = *window;
        for (std::size_t i = 0; i < kernel.size(); ++i) {
            if (p.window.dilations[i] != 1)
                return error{"dilation " + std::to_string(p.window.dilations[i]) + " of axis " + std::to_string(i) +
                             "; the library pools with 1"};
            if (p.window.begin[i] >= kernel[i] || p.window.end[i] >= kernel[i])
                return error{"pads of " + std::to_string(p.window.begin[i]) + " and " + std::to_string(p.window.end[i]) +
                             " are not below the window's " + std::to_string(kernel[i])};
        }
        if (average && inlay::read<average_pool_attributes>(attributes).count_include_pad) {
            if (ceiling && p.window.end != given->end) return error{"an average that counts pads has windows beyond them"};
            p.how = dnnl::algorithm::pooling_avg_include_padding;
        }
        return p;
    }

    /// Whether a reduction is over all axes but the first two.
    [[nodiscard]] static outcome<void> spatial_axes(const region_view& r, const region_value& c, std::size_t rank) {
        std::vector<std::int64_t> axes;
        if (r.has_operand(c, 1)) {
            const tensor* given = r.operand(c, 1).value;
            const auto read = given == nullptr ? std::nullopt : integers_of(*given);
            if (!read) return error{"the axes of the reduction are no constant"};
            axes = *read;
        }
        for (std::int64_t& a : axes) a += a < 0 ? static_cast<std::int64_t>(rank) : 0;
        std::sort(axes.begin(), axes.end());
        bool all = axes.size() + 2 == rank;
        for (std::size_t i = 0; i < axes.size() && all; ++i) all = axes[i] == static_cast<std::int64_t>(i + 2);
        if (!all) return error{"the reduction is not over all spatial axes and no others"};
        return {};
    }
};

}  // namespace inlay::detail

#endif
