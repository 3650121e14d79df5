// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_POOL_HPP
#define INLAY_BACKEND_XNNPACK_POOL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/spatial_window.hpp>
#include <inlay/backend/xnnpack/chain.hpp>
#include <inlay/backend/xnnpack/maybe_clamped.hpp>
#include <inlay/backend/xnnpack/program.hpp>
#include <inlay/ops/attributes/reduction_attributes.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Pooling of images: maximum and average over windows or over all places, the latter also where it is spelled as a reduction over the
/// spatial axes; then a range.
struct xnnpack_pooling {
    enum class form : std::uint8_t { maximum, average, global_average };

    struct plan {
        form how = form::maximum;
        spatial_window window;
        std::vector<std::int64_t> x_extents;
        bool global = false;
        bool dropped = false;  // the result has no spatial axes
        xnnpack_range range;
    };

    static constexpr auto pattern_of_pool() {
        return xnnpack_maybe_clamped(dsl::call_on<1, "onnx.MaxPool", "onnx.AveragePool", "onnx.GlobalAveragePool", "onnx.GlobalMaxPool",
                                                  "onnx.ReduceMean", "onnx.ReduceMax">(dsl::any));
    }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        auto chain = xnnpack_read_chain(r, 0, [](const region_value& v) { return v.op != "onnx.Relu" && v.op != "onnx.Clip"; });
        if (!chain) return chain.failure();
        const region_value& c = r[chain->anchor];
        if (c.operands.empty() || r[c.operands[0]].kind != region_value::role::input)
            return error{std::string(c.op) + " is not applied to an input of the region"};
        plan p;
        p.range = chain->range;
        p.x_extents = static_shape(r.type(c.operands[0]));
        if (p.x_extents.size() != 4)
            return error{std::string(c.op) + " of a tensor of rank " + std::to_string(p.x_extents.size()) +
                         "; the library takes images, of rank 4"};
        const bool average = c.op == "onnx.AveragePool" || c.op == "onnx.GlobalAveragePool" || c.op == "onnx.ReduceMean";
        if (c.op == "onnx.MaxPool" || c.op == "onnx.AveragePool")
            return over_windows(*c.attributes, static_shape(r.type(chain->anchor)), std::move(p), average);
        if (c.op == "onnx.ReduceMean" || c.op == "onnx.ReduceMax") {
            if (auto fine = spatial_axes(r, c); !fine) return fine.failure();
            p.dropped = !inlay::read<reduce_attributes>(*c.attributes).keepdims;
        } else if (c.op != "onnx.GlobalAveragePool" && c.op != "onnx.GlobalMaxPool") {
            return error{std::string(c.op) + " is no pooling"};
        }
        p.global = true;
        p.how = average ? form::global_average : form::maximum;
        p.window = spatial_window::over({p.x_extents[2], p.x_extents[3]});
        p.window.strides = p.window.kernel;
        if (!average && p.window.is_one_place()) return error{"the maximum is over one place; the library takes more"};
        return p;
    }

    /// Channels last. A result of one place per channel lies the same row-major, so that it may leave so, too.
    [[nodiscard]] static std::vector<border_formats> formats(const plan& p, const region_view& r) {
        std::vector<border_formats> list;
        if (!p.dropped) list.push_back(xnnpack_images(r));
        if (p.global) {
            list.push_back(xnnpack_images(r));
            list.back().results[0].order = layout::plain();
        }
        return list;
    }

    [[nodiscard]] static outcome<void> build(const plan& p, const region_view&, const border_formats&, xnnpack_program& program) {
        const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
        const auto number = xnnpack_number;
        const spatial_window& w = p.window;
        const std::size_t channels = size(p.x_extents[1]);
        xnnpack_sizes s;
        s.batch = size(p.x_extents[0]);
        s.height = size(p.x_extents[2]);
        s.width = size(p.x_extents[3]);
        switch (p.how) {
            case form::maximum:
                break;
            case form::average:
                return program.step(
                    "average_pooling2d_nhwc_f32",
                    [&](xnn_operator_t* made) {
                        return xnn_create_average_pooling2d_nhwc_f32(number(w.begin[0]), number(w.end[1]), number(w.end[0]),
                                                                     number(w.begin[1]), number(w.kernel[0]), number(w.kernel[1]),
                                                                     number(w.strides[0]), number(w.strides[1]), channels, channels,
                                                                     channels, p.range.low, p.range.high, program.flags(), made);
                    },
                    [](xnn_operator_t op, const xnnpack_sizes& z, const float* const* in, float* out, pthreadpool_t pool) {
                        return xnn_setup_average_pooling2d_nhwc_f32(op, z.batch, z.height, z.width, in[0], out, pool);
                    },
                    s, {{}});
            case form::global_average:
                return program.step(
                    "global_average_pooling_nwc_f32",
                    [&](xnn_operator_t* made) {
                        return xnn_create_global_average_pooling_nwc_f32(channels, channels, channels, p.range.low, p.range.high,
                                                                         program.flags(), made);
                    },
                    [](xnn_operator_t op, const xnnpack_sizes& z, const float* const* in, float* out, pthreadpool_t pool) {
                        return xnn_setup_global_average_pooling_nwc_f32(op, z.batch, z.height * z.width, in[0], out, pool);
                    },
                    s, {{}});
        }
        return program.step(
            "max_pooling2d_nhwc_f32",
            [&](xnn_operator_t* made) {
                return xnn_create_max_pooling2d_nhwc_f32(number(w.begin[0]), number(w.end[1]), number(w.end[0]), number(w.begin[1]),
                                                         number(w.kernel[0]), number(w.kernel[1]), number(w.strides[0]),
                                                         number(w.strides[1]), number(w.dilations[0]), number(w.dilations[1]), channels,
                                                         channels, channels, p.range.low, p.range.high, program.flags(), made);
            },
            [](xnn_operator_t op, const xnnpack_sizes& z, const float* const* in, float* out, pthreadpool_t pool) {
                return xnn_setup_max_pooling2d_nhwc_f32(op, z.batch, z.height, z.width, in[0], out, pool);
            },
            s, {{}});
    }

private:
    [[nodiscard]] static outcome<plan> over_windows(const attribute_map& attributes, const std::vector<std::int64_t>& y, plan p,
                                                    bool average) {
        if (y.size() != 4) return error{"the result has rank " + std::to_string(y.size())};
        if (inlay::read<max_pool_attributes>(attributes).storage_order != 0) return error{"storage_order is 1"};
        const auto stated = inlay::read<max_pool_attributes>(attributes).kernel_shape;
        const std::vector<std::int64_t> kernel(stated.begin(), stated.end());
        auto window = window_between(attributes, p.x_extents, y, kernel, inlay::read<max_pool_attributes>(attributes).ceil_mode);
        if (!window) return window.failure();
        p.window = *window;
        p.how = average ? form::average : form::maximum;
        if (p.window.is_one_place()) return error{"the window is of one place; the library takes more"};
        for (std::size_t i = 0; i < 2; ++i) {
            const std::string pads = std::to_string(p.window.begin[i]) + " and " + std::to_string(p.window.end[i]);
            if (p.window.begin[i] >= p.window.span(i) || p.window.end[i] >= p.window.span(i))
                return error{"pads of " + pads + " are not below the window's " + std::to_string(p.window.span(i)) + " places"};
            if (p.window.dilations[i] == 1) continue;
            if (average)
                return error{"dilation " + std::to_string(p.window.dilations[i]) + " of spatial axis " + std::to_string(i) +
                             "; the library averages with 1"};
            // At a border the library takes the nearest place inside for one outside, which a window with gaps need not hold.
            if (p.window.begin[i] + p.window.end[i] != 0)
                return error{"dilation " + std::to_string(p.window.dilations[i]) + " of spatial axis " + std::to_string(i) +
                             " with pads of " + pads};
        }
        if (average && inlay::read<average_pool_attributes>(attributes).count_include_pad && p.window.has_pads())
            return error{"the average counts pads; the library leaves them out"};
        return p;
    }

    /// Whether a reduction is over the last two of four axes.
    [[nodiscard]] static outcome<void> spatial_axes(const region_view& r, const region_value& c) {
        std::vector<std::int64_t> axes;
        if (r.has_operand(c, 1)) {
            const tensor* given = r.operand(c, 1).value;
            const auto read = given == nullptr ? std::nullopt : integers_of(*given);
            if (!read) return error{"the axes of the reduction are no constant"};
            axes = *read;
        }
        for (std::int64_t& a : axes) a += a < 0 ? 4 : 0;
        std::sort(axes.begin(), axes.end());
        if (axes != std::vector<std::int64_t>{2, 3}) return error{"the reduction is not over the two spatial axes alone"};
        return {};
    }
};

}  // namespace inlay::detail

#endif
