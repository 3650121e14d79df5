// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_CONV_HPP
#define INLAY_BACKEND_XNNPACK_CONV_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/channel_statistics.hpp>
#include <inlay/backend/float_constant.hpp>
#include <inlay/backend/spatial_window.hpp>
#include <inlay/backend/xnnpack/chain.hpp>
#include <inlay/backend/xnnpack/maybe_clamped.hpp>
#include <inlay/backend/xnnpack/program.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Convolution and transposed convolution of images with constant weights, and batch normalisation, which is a convolution of each channel
/// with one number. Batch normalisation, factors and terms per channel that follow are folded into weights and bias; then comes a range.
struct xnnpack_conv {
    enum class form : std::uint8_t { direct, transposed, per_channel };

    struct plan {
        form how = form::direct;
        const tensor* weights = nullptr;  // none where per_channel
        spatial_window window;
        std::int64_t groups = 1;
        std::vector<std::int64_t> x_extents, y_extents;
        std::vector<double> scale, shift;  // per output channel; the bias is in the shift
        xnnpack_range range;
    };

    static constexpr auto pattern_of_conv() {
        constexpr auto normalized = dsl::maybe_call_on<1, "onnx.BatchNormalization">(dsl::op<"onnx.Conv">);
        return xnnpack_maybe_clamped(
            dsl::maybe_call_on<2, "onnx.Add", "onnx.Sub">(dsl::maybe_call_on<2, "onnx.Mul", "onnx.Div">(normalized)));
    }
    static constexpr auto pattern_of_transposed() {
        return xnnpack_maybe_clamped(
            dsl::maybe_call_on<2, "onnx.Add">(dsl::maybe_call_on<1, "onnx.BatchNormalization">(dsl::op<"onnx.ConvTranspose">)));
    }
    static constexpr auto pattern_of_batch_norm() { return xnnpack_maybe_clamped(dsl::op<"onnx.BatchNormalization">); }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        const auto is_conv = [](const region_value& v) { return v.op == "onnx.Conv" || v.op == "onnx.ConvTranspose"; };
        bool convolves = false;
        for (const region_value& v : r.calls()) convolves = convolves || is_conv(v);
        auto chain =
            xnnpack_read_chain(r, 2, [&](const region_value& v) { return convolves ? is_conv(v) : v.op == "onnx.BatchNormalization"; });
        if (!chain) return chain.failure();
        const region_value& c = r[chain->anchor];
        if (c.operands.empty() || r[c.operands[0]].kind != region_value::role::input)
            return error{std::string(c.op) + " is not applied to an input of the region"};
        plan p;
        p.x_extents = static_shape(r.type(c.operands[0]));
        p.y_extents = static_shape(r.type(chain->anchor));
        if (p.x_extents.size() != 4 || p.y_extents.size() != 4)
            return error{std::string(c.op) + " of a tensor of rank " + std::to_string(p.x_extents.size()) +
                         "; the library takes images, of rank 4"};
        p.scale = std::move(chain->scale);
        p.shift = std::move(chain->shift);
        p.range = chain->range;
        if (!convolves) return read_batch_norm(r, c, std::move(p));
        p.how = c.op == "onnx.Conv" ? form::direct : form::transposed;
        return read_weights(r, c, std::move(p));
    }

    [[nodiscard]] static std::vector<border_formats> formats(const plan&, const region_view& r) { return {xnnpack_images(r)}; }

    [[nodiscard]] static outcome<void> build(const plan& p, const region_view&, const border_formats&, xnnpack_program& program) {
        const std::vector<float> weights = packed(p), bias(p.shift.begin(), p.shift.end());
        const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
        const auto number = xnnpack_number;
        const spatial_window& w = p.window;
        const std::size_t inputs = size(p.x_extents[1]), outputs = size(p.y_extents[1]), groups = size(p.groups);
        xnnpack_sizes s;
        s.batch = size(p.x_extents[0]);
        s.height = size(p.x_extents[2]);
        s.width = size(p.x_extents[3]);
        // What the window leaves at the end is cut off the result or, below 0, added to it.
        const auto cut = [&](std::size_t axis) { return number(std::max<std::int64_t>(w.end[axis], 0)); };
        const auto added = [&](std::size_t axis) { return size(std::max<std::int64_t>(-w.end[axis], 0)); };
        s.more_height = added(0);
        s.more_width = added(1);
        const auto create = [&](auto maker, xnn_operator_t* made) {
            return maker(number(w.begin[0]), cut(1), cut(0), number(w.begin[1]), number(w.kernel[0]), number(w.kernel[1]),
                         number(w.strides[0]), number(w.strides[1]), number(w.dilations[0]), number(w.dilations[1]), number(p.groups),
                         inputs / groups, outputs / groups, inputs, outputs, weights.data(), bias.data(), p.range.low, p.range.high,
                         program.flags(), made);
        };
        if (p.how == form::transposed)
            return program.step(
                "deconvolution2d_nhwc_f32", [&](xnn_operator_t* made) { return create(xnn_create_deconvolution2d_nhwc_f32, made); },
                [](xnn_operator_t op, const xnnpack_sizes& z, const float* const* in, float* out, pthreadpool_t pool) {
                    return xnn_setup_deconvolution2d_nhwc_f32(op, z.batch, z.height, z.width, static_cast<std::uint32_t>(z.more_height),
                                                              static_cast<std::uint32_t>(z.more_width), in[0], out, pool);
                },
                s, {{}});
        return program.step(
            "convolution2d_nhwc_f32", [&](xnn_operator_t* made) { return create(xnn_create_convolution2d_nhwc_f32, made); },
            [](xnn_operator_t op, const xnnpack_sizes& z, const float* const* in, float* out, pthreadpool_t pool) {
                return xnn_setup_convolution2d_nhwc_f32(op, z.batch, z.height, z.width, in[0], out, pool);
            },
            s, {{}});
    }

private:
    [[nodiscard]] static outcome<plan> read_batch_norm(const region_view& r, const region_value& c, plan p) {
        const std::size_t channels = p.scale.size();
        const auto found = read_channel_statistics(r, c, channels);
        if (!found) return error{"the batch normalisation's statistics are not constant"};
        for (std::size_t i = 0; i < channels; ++i) {
            p.shift[i] += p.scale[i] * found->shift[i];
            p.scale[i] *= found->scale[i];
        }
        p.how = form::per_channel;
        p.groups = p.x_extents[1];
        p.window = spatial_window::over({1, 1});
        return p;
    }

    [[nodiscard]] static outcome<plan> read_weights(const region_view& r, const region_value& c, plan p) {
        const bool transposed = p.how == form::transposed;
        if (c.operands.size() < 2) return error{std::string(c.op) + " has " + std::to_string(c.operands.size()) + " operands"};
        p.weights = float_constant(r, c.operands[1]);
        if (p.weights == nullptr) return error{"the weights of type " + to_string(*r[c.operands[1]].type) + " are no float32 constant"};
        if (p.weights->rank() != 4) return error{"the weights have rank " + std::to_string(p.weights->rank()) + ", the input 4"};
        p.groups = inlay::read<conv_attributes>(*c.attributes).group;
        const std::vector<std::int64_t>& w = p.weights->extents();
        const std::int64_t inputs = p.x_extents[1], outputs = p.y_extents[1];
        const bool fits = p.groups >= 1 && inputs % p.groups == 0 && outputs % p.groups == 0 &&
                          (transposed ? w[0] == inputs && w[1] * p.groups == outputs : w[0] == outputs && w[1] * p.groups == inputs);
        if (!fits || p.weights->count() == 0)
            return error{"weights of type " + to_string(p.weights->type()) + " do not fit " + std::to_string(inputs) + " to " +
                         std::to_string(outputs) + " channels in " + std::to_string(p.groups) + " groups"};
        const std::vector<std::int64_t> kernel(w.begin() + 2, w.end());
        auto window = transposed ? transposed_window_between(*c.attributes, p.x_extents, p.y_extents, kernel)
                                 : window_between(*c.attributes, p.x_extents, p.y_extents, kernel, false);
        if (!window) return window.failure();
        p.window = *window;
        if (r.has_operand(c, 2)) {
            const tensor* bias = float_constant(r, c.operands[2]);
            if (bias == nullptr || bias->count() != p.shift.size())
                return error{"the bias of type " + to_string(*r[c.operands[2]].type) + " is no constant of one number per channel"};
            for (std::size_t i = 0; i < p.shift.size(); ++i) p.shift[i] += p.scale[i] * static_cast<double>(bias->as<float>()[i]);
        }
        return p;
    }

    /// The weights times the scale of their output channel, in the library's order: group, output, row, column, input.
    [[nodiscard]] static std::vector<float> packed(const plan& p) {
        if (p.how == form::per_channel) return std::vector<float>(p.scale.begin(), p.scale.end());
        const auto from = p.weights->as<float>();
        const auto groups = static_cast<std::size_t>(p.groups), inputs = static_cast<std::size_t>(p.x_extents[1]) / groups;
        const auto outputs = static_cast<std::size_t>(p.y_extents[1]) / groups, places = from.size() / (groups * inputs * outputs);
        std::vector<float> to(from.size());
        for (std::size_t g = 0; g < groups; ++g)
            for (std::size_t o = 0; o < outputs; ++o)
                for (std::size_t i = 0; i < inputs; ++i)
                    for (std::size_t k = 0; k < places; ++k) {
                        const std::size_t filter =
                            p.how == form::transposed ? (g * inputs + i) * outputs + o : (g * outputs + o) * inputs + i;
                        const double scaled = static_cast<double>(from[filter * places + k]) * p.scale[g * outputs + o];
                        to[((g * outputs + o) * places + k) * inputs + i] = static_cast<float>(scaled);
                    }
        return to;
    }
};

}  // namespace inlay::detail

#endif
