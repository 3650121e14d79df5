// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_CONVOLUTION_HPP
#define INLAY_OPS_ONNX_CONVOLUTION_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/ops/agreed_element.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>
#include <inlay/ops/loops/convolution_loops.hpp>
#include <inlay/ops/loops/evaluate_by_filling.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/window.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay {
namespace detail {

/// What Conv and ConvTranspose have in common once their operands' types are checked. Shapes have unknown extents where a rank is not
/// known; `rank` is 0 where neither is.
struct convolution_operands {
    element_type element = element_type::none;
    std::size_t rank = 0;
    shape input, weights;
    std::int64_t groups = 1;
    window_set windows;
};

inline outcome<convolution_operands> convolution_operands_of(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 3)) return std::move(*wrong);
    convolution_operands c;
    const auto element = agreed_element(call, {0, 1, 2}, elements(floating_scalars()));
    if (!element) return element.failure();
    c.element = *element;
    const tensor_type &x = call.type(0), &w = call.type(1);
    const std::string name = short_name(call.op);
    c.groups = read<conv_attributes>(call).group;
    if (c.groups < 1 || c.groups > largest_window)
        return error{name + " has group " + std::to_string(c.groups) + ", which must be positive"};
    if (!x.ranked && !w.ranked) return c;
    c.rank = x.ranked ? x.rank() : w.rank();
    if (c.rank < 3 || c.rank > 5)
        return error{name + " takes batches and channels of one to three spatial axes, and has an operand of rank " +
                     std::to_string(c.rank)};
    if (x.ranked && w.ranked && x.rank() != w.rank())
        return error{name + " has an input of type " + to_string(x) + " and weights of type " + to_string(w) +
                     ", which must have one rank"};
    c.input = x.ranked ? x.extents : shape(c.rank);
    c.weights = w.ranked ? w.extents : shape(c.rank);
    std::vector<std::int64_t> kernel;
    for (std::size_t i = 2; i < c.rank; ++i) kernel.push_back(c.weights[i].is_known() ? c.weights[i].size : -1);
    auto windows = windows_of(call, std::move(kernel));
    if (!windows) return windows.failure();
    c.windows = std::move(*windows);
    return c;
}

/// What is wrong with the bias, if anything: one number per output channel is expected.
inline std::optional<error> wrong_bias(const call_view& call, const extent& channels) {
    if (!call.has(2) || !call.type(2).ranked) return std::nullopt;
    const tensor_type& b = call.type(2);
    if (b.rank() == 1 && can_be_equal(b.extents[0], channels)) return std::nullopt;
    return error{short_name(call.op) + " has a bias of type " + to_string(b) + ", where one number for each of " +
                 (channels.is_known() ? std::to_string(channels.size) : std::string("its")) + " output channels is expected"};
}

inline outcome<node_type> infer_conv(const call_view& call) {
    const auto c = convolution_operands_of(call);
    if (!c) return c.failure();
    if (c->rank == 0) return node_type(tensor_type(c->element));
    const extent &channels = c->input[1], &per_group = c->weights[1], &out = c->weights[0];
    if (channels.is_known() && per_group.is_known() && (channels.size % c->groups != 0 || channels.size / c->groups != per_group.size))
        return error{"Conv has " + std::to_string(channels.size) + " input channels, where weights of " + std::to_string(per_group.size) +
                     " channels in " + std::to_string(c->groups) + " groups are expected to meet " + std::to_string(c->groups) +
                     " times as many"};
    if (out.is_known() && out.size % c->groups != 0)
        return error{"Conv has " + std::to_string(out.size) + " output channels, which " + std::to_string(c->groups) +
                     " groups do not divide"};
    if (auto wrong = wrong_bias(call, out)) return std::move(*wrong);
    shape result{c->input[0], out};
    for (std::size_t i = 2; i < c->rank; ++i) {
        auto places = windowed_extent(call, c->windows.axes[i - 2], c->windows.mode, window_rounding::down, c->input[i]);
        if (!places) return places.failure();
        result.push_back(std::move(*places));
    }
    return countable_type(call, tensor_type(c->element, std::move(result)));
}

/// The three-axis form of a call whose types are checked and static.
inline convolution_extents convolution_extents_of(const convolution_operands& c, const std::vector<std::int64_t>& out,
                                                  std::span<const window> windows) {
    convolution_extents e;
    e.batches = c.input[0].size;
    e.groups = c.groups;
    e.in_channels = c.input[1].size / c.groups;
    e.out_channels = out[1] / c.groups;
    for (std::size_t i = 2; i < c.rank; ++i) {
        const std::size_t axis = 3 - (c.rank - 2) + (i - 2);
        e.in[axis] = c.input[i].size;
        e.out[axis] = out[i];
        e.windows[axis] = windows[i - 2];
    }
    return e;
}

inline outcome<void> run_convolution(const call_view& call, const convolution_extents& e, std::span<const tensor> operands,
                                     const tensor& weights, tensor& result) {
    bool done = false;
    visit_element_type(floating_scalars(), result.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        const T* const bias = call.has(2) ? operands[2].as<T>().data() : nullptr;
        done = convolve<T>(e, operands[0].as<T>().data(), weights.as<T>().data(), bias, result.as<T>().data());
    });
    return done ? outcome<void>() : outcome<void>(no_memory(call, result.type()));
}

inline outcome<void> fill_conv(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const auto c = convolution_operands_of(call);
    if (!c) return c.failure();
    std::vector<window> windows;
    for (std::size_t i = 2; i < c->rank; ++i)
        windows.push_back(padded_window(c->windows.axes[i - 2], c->windows.mode, c->input[i].size, results[0].extents()[i]));
    const convolution_extents e = convolution_extents_of(*c, results[0].extents(), windows);
    return run_convolution(call, e, operands, operands[1], results[0]);
}

inline op_work work_conv(const call_view& call, const node_type& result) {
    const double places = elements_of(result.of_tensor);
    double products = 1;
    for (std::size_t i = 1; i < call.type(1).rank(); ++i) products *= static_cast<double>(call.type(1).extents[i].size);
    return {places * (2 * products + (call.has(2) ? 1 : 0)), bytes_moved(call, result)};
}

/// The windows and result extents of a ConvTranspose along its spatial axes, as far as they are known. Padding here takes away from the
/// result: along an axis it has `stride * (in - 1) + output_padding + reach - before - after` places.
struct transposed_extents {
    std::vector<window> windows;
    shape places;
};

inline outcome<transposed_extents> transposed_extents_of(const call_view& call, const convolution_operands& c) {
    const std::size_t spatial = c.rank - 2;
    const auto extra = window_numbers(call, attribute_name<&conv_transpose_attributes::output_padding>, spatial, 0, 0);
    if (!extra) return extra.failure();
    const bool stated = read<conv_transpose_attributes>(call).output_shape.has_value();
    const auto wanted = window_numbers(call, attribute_name<&conv_transpose_attributes::output_shape>, spatial, 1, 1);
    if (!wanted) return wanted.failure();
    const bool same = c.windows.mode == padding_mode::same_upper || c.windows.mode == padding_mode::same_lower;
    transposed_extents t;
    for (std::size_t i = 0; i < spatial; ++i) {
        window w = c.windows.axes[i];
        const extent& in = c.input[i + 2];
        if ((*extra)[i] >= std::max(w.stride, w.dilation))
            return error{"ConvTranspose has output_padding " + std::to_string((*extra)[i]) + " on spatial axis " + std::to_string(i) +
                         ", which must be below its stride or its dilation"};
        if (in.is_known() && (in.size < 1 || in.size > largest_window / w.stride))
            return error{"ConvTranspose has a spatial extent of " + std::to_string(in.size) + ", which must be positive and not too large"};
        extent places;
        if (stated)
            places = extent((*wanted)[i]);
        else if (in.is_known() && same)
            places = extent(in.size * w.stride);
        else if (!in.is_known() && w.stride == 1 && (same || (w.kernel > 0 && w.reach() - 1 + (*extra)[i] == w.before + w.after)))
            places = in;
        if (in.is_known() && w.kernel > 0) {
            const std::int64_t whole = w.stride * (in.size - 1) + (*extra)[i] + w.reach();
            if (stated || same) {
                const std::int64_t total = std::max<std::int64_t>(whole - places.size, 0);
                w.before = c.windows.mode == padding_mode::same_upper ? total / 2 : total - total / 2;
                w.after = total - w.before;
            } else {
                places = extent(std::max<std::int64_t>(whole - w.before - w.after, 0));
                if (places.size == 0)
                    return error{"ConvTranspose takes away " + std::to_string(w.before + w.after) + " of " + std::to_string(whole) +
                                 " places on spatial axis " + std::to_string(i) + " by pads, which leaves none"};
            }
        }
        t.windows.push_back(w);
        t.places.push_back(std::move(places));
    }
    return t;
}

inline outcome<node_type> infer_conv_transpose(const call_view& call) {
    const auto c = convolution_operands_of(call);
    if (!c) return c.failure();
    if (c->rank == 0) return node_type(tensor_type(c->element));
    const extent &channels = c->input[1], &rows = c->weights[0], &per_group = c->weights[1];
    if (!can_be_equal(channels, rows))
        return error{"ConvTranspose has " + std::to_string(channels.size) + " input channels, where its weights have " +
                     std::to_string(rows.size)};
    for (const extent& e : {channels, rows})
        if (e.is_known() && e.size % c->groups != 0)
            return error{"ConvTranspose has " + std::to_string(e.size) + " input channels, which " + std::to_string(c->groups) +
                         " groups do not divide"};
    const extent group_factor[] = {per_group, extent(c->groups)};
    const auto out = extent_product(group_factor);
    if (!out) return error{"ConvTranspose has " + std::to_string(c->groups) + " groups, and output channels beyond counting"};
    if (auto wrong = wrong_bias(call, *out)) return std::move(*wrong);
    auto t = transposed_extents_of(call, *c);
    if (!t) return t.failure();
    shape result{c->input[0], *out};
    result.insert(result.end(), t->places.begin(), t->places.end());
    return countable_type(call, tensor_type(c->element, std::move(result)));
}

inline outcome<void> fill_conv_transpose(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const auto c = convolution_operands_of(call);
    if (!c) return c.failure();
    const auto t = transposed_extents_of(call, *c);
    if (!t) return t.failure();
    convolution_extents e = convolution_extents_of(*c, results[0].extents(), t->windows);
    e.transposed = true;
    // The weights come as [groups, in_channels, out_channels, taps]; the loops read a result channel's weights in one row.
    tensor weights(operands[1].element(), operands[1].extents());
    if (!weights.ok()) return no_memory(call, operands[1].type());
    visit_element_type(floating_scalars(), weights.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        const T* from = operands[1].as<T>().data();
        T* const to = weights.as<T>().data();
        for (std::int64_t g = 0; g < e.groups; ++g)
            for (std::int64_t i = 0; i < e.in_channels; ++i)
                for (std::int64_t o = 0; o < e.out_channels; ++o)
                    for (std::int64_t k = 0; k < e.taps(); ++k) to[((g * e.out_channels + o) * e.in_channels + i) * e.taps() + k] = *from++;
    });
    return run_convolution(call, e, operands, weights, results[0]);
}

inline op_work work_conv_transpose(const call_view& call, const node_type& result) {
    double products = 1;
    for (std::size_t i = 1; i < call.type(1).rank(); ++i) products *= static_cast<double>(call.type(1).extents[i].size);
    return {2 * elements_of(call.type(0)) * products + (call.has(2) ? elements_of(result.of_tensor) : 0), bytes_moved(call, result)};
}

}  // namespace detail

/// Conv and ConvTranspose over one to three spatial axes, as ONNX defines them.
template <class = void>
struct onnx_convolution {
    static constexpr auto table = with_attributes<conv_attributes, conv_transpose_attributes>({
        {"onnx.Conv", op_kind::anchor, detail::infer_conv, filled<detail::infer_conv, detail::fill_conv>, detail::work_conv},
        {"onnx.ConvTranspose", op_kind::anchor, detail::infer_conv_transpose,
         filled<detail::infer_conv_transpose, detail::fill_conv_transpose>, detail::work_conv_transpose},
    });
};

}  // namespace inlay

#endif
