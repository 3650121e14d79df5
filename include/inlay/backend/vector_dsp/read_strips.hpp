// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_VECTOR_DSP_READ_STRIPS_HPP
#define INLAY_BACKEND_VECTOR_DSP_READ_STRIPS_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/accelerator/operand_type.hpp>
#include <inlay/backend/image_axes.hpp>
#include <inlay/backend/quantized_combination.hpp>
#include <inlay/backend/quantized_steps.hpp>
#include <inlay/backend/ranged_call.hpp>
#include <inlay/backend/static_region.hpp>
#include <inlay/backend/vector_dsp/packed_strips.hpp>
#include <inlay/backend/vector_dsp/strip_layer.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/ops/attributes/quantization_attributes.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>
#include <inlay/ops/onnx/quantized_products.hpp>

namespace inlay::dsp_parts {

/// A region as a layer, and what is needed to pack it.
struct read_strips_result {
    strip_layer what;
    strip_numbers numbers;
    value_id inputs[2] = {0, 0};  // the region's inputs that are its operands
};

namespace detail {

/// Reads a region as what the processor has; see `read_strips`.
class strip_reader {
public:
    explicit strip_reader(const region_view& r) : r_(r) {}

    [[nodiscard]] outcome<read_strips_result> read() {
        if (auto fine = inlay::detail::check_static_region(r_); !fine) return fine.failure();
        if (r_.calls().empty()) return error{"the region has no call"};
        const region_value& first = r_.calls().front();
        outcome<void> read = {};
        if (first.op == "onnx.DequantizeLinear")
            read = read_steps();
        else if (auto chain = inlay::detail::ranged_call_of(r_, "a call"); !chain)
            read = chain.failure();
        else
            read = read_chain(first, chain->range);
        if (!read) return read.failure();
        if (made_.what.out_bytes() == 0 || made_.what.in_bytes() == 0) return error{"there is nothing to compute"};
        return made_;
    }

private:
    [[nodiscard]] outcome<void> read_chain(const region_value& call, const inlay::detail::float_range& range) {
        made_.numbers.real_low = range.low;
        made_.numbers.real_high = range.high;
        const bool is_alone = r_.calls().size() == 1;
        if (call.op == "onnx.QLinearConv") {
            if (!is_alone) return error{"behind a quantised convolution nothing else is done with it"};
            return read_quantized(call);
        }
        if (call.op == "onnx.Conv") return read_real(call);
        if (call.op == "onnx.MaxPool" || call.op == "onnx.AveragePool" || call.op == "onnx.GlobalAveragePool") {
            if (!is_alone) return error{"behind a pooling nothing else is done with it"};
            return read_pooling(call);
        }
        return read_function(call);
    }

    [[nodiscard]] outcome<operand_type> type_of(value_id v) const {
        const element_type e = r_.type(v).element;
        if (e == element_type::float32) return operand_type::floats;
        if (e == element_type::int8) return operand_type::signed_bytes;
        if (e == element_type::uint8) return operand_type::unsigned_bytes;
        return error{"the processor has float32, int8 and uint8, not " + std::string(name_of(e))};
    }
    [[nodiscard]] const tensor* constant(const region_value& call, int i) const {
        return i < 0 ? nullptr : inlay::detail::constant_of(r_, call, static_cast<std::size_t>(i));
    }

    /// The image that a window moves over: operand 0, which must be the region's only input.
    [[nodiscard]] outcome<void> read_image(const region_value& call, std::vector<std::int64_t> kernel) {
        if (r_.input_count != 1 || call.operands[0] != 0)
            return error{"it reads other tensors than one image, or its weights are computed"};
        const auto type = type_of(0);
        if (!type) return type.failure();
        const std::vector<std::int64_t> in = static_shape(r_.type(0));
        if (in.size() < 3) return error{"the processor has windows of one or two axes"};
        strip_layer& l = made_.what;
        l.type = *type;
        l.images = in[0];
        l.channels = in[1];
        const auto axes = inlay::detail::image_axes_of(r_, call, std::move(kernel));
        if (!axes) return axes.failure();
        l.y = axes->y;
        l.x = axes->x;
        return {};
    }
    /// A convolution whose channels are not mixed, and its weights by tap and channel.
    [[nodiscard]] outcome<void> read_depthwise(const region_value& call, std::size_t at_w) {
        const tensor* w = constant(call, static_cast<int>(at_w));
        if (w == nullptr) return error{"the weights are not known before the run"};
        const std::vector<std::int64_t> in = static_shape(r_.type(call.operands[0]));
        const std::int64_t group = inlay::read<conv_attributes>(*call.attributes).group;
        if (in.size() < 3 || group != in[1] || w->extents()[0] != in[1] || w->extents()[1] != 1)
            return error{"the processor has a window for each channel alone; group is " + std::to_string(group)};
        if (auto image = read_image(call, {w->extents().begin() + 2, w->extents().end()}); !image) return image;
        const strip_layer& l = made_.what;
        const auto element = static_cast<std::size_t>(l.element());
        const auto taps = static_cast<std::size_t>(l.y.taps * l.x.taps), channels = static_cast<std::size_t>(l.channels);
        made_.numbers.weights.resize(w->bytes());
        for (std::size_t c = 0; c < channels; ++c)
            for (std::size_t t = 0; t < taps; ++t)
                std::memcpy(made_.numbers.weights.data() + (t * channels + c) * element, w->data() + (c * taps + t) * element, element);
        return {};
    }
    [[nodiscard]] outcome<void> read_real(const region_value& call) {
        if (r_.type(call.operands[0]).element != element_type::float32) return error{"a convolution of other floats than float32"};
        if (auto window = read_depthwise(call, 1); !window) return window;
        const tensor* bias = constant(call, 2);
        if (r_.has_operand(call, 2) && bias == nullptr) return error{"the bias is not known before the run"};
        for (std::size_t c = 0; c < static_cast<std::size_t>(made_.what.channels); ++c) {
            made_.numbers.real_starts.push_back(bias == nullptr ? 0.0f : bias->as<float>()[c]);
            made_.numbers.scales.push_back(1);
        }
        return {};
    }
    [[nodiscard]] outcome<void> read_quantized(const region_value& call) {
        const auto steps = inlay::detail::quantized_steps_of(r_, call);
        if (!steps) return steps.failure();
        if (auto fine = steps->check_centred(); !fine) return fine;
        if (auto window = read_depthwise(call, inlay::detail::linear_product.w); !window) return window;
        const auto y = type_of(r_.results[0]);
        if (!y || *y != made_.what.type) return error{"the processor gives the type of bytes that it reads"};
        strip_numbers& n = made_.numbers;
        n.x_zero = static_cast<std::uint8_t>(steps->x_zero);
        n.zero = steps->y_zero;
        n.low = steps->low;
        n.high = steps->high;
        for (std::size_t c = 0; c < static_cast<std::size_t>(made_.what.channels); ++c) {
            n.starts.push_back(steps->start(c));
            n.scales.push_back(steps->scale(c));
        }
        return {};
    }

    [[nodiscard]] outcome<void> read_pooling(const region_value& call) {
        std::vector<std::int64_t> kernel(static_shape(r_.type(call.operands[0])).size() == 3 ? 1 : 2, -1);
        const bool is_global = call.op == "onnx.GlobalAveragePool";
        if (is_global) {
            const std::vector<std::int64_t> in = static_shape(r_.type(call.operands[0]));
            kernel.assign(in.begin() + 2, in.end());
        }
        if (auto image = read_image(call, kernel); !image) return image;
        strip_layer& l = made_.what;
        if (call.op == "onnx.MaxPool") {
            l.work = strip_work::maximum;
            return {};
        }
        l.work = strip_work::average;
        if (l.type != operand_type::floats) return error{"the processor has averages of float32 alone"};
        const bool is_inside = l.y.taps_inside() == l.y.taps * l.y.out && l.x.taps_inside() == l.x.taps * l.x.out;
        const auto how = inlay::read<average_pool_attributes>(*call.attributes);
        if (!is_inside && (!how.count_include_pad || how.ceil_mode))
            return error{"the processor divides all sums of a layer by one number; some windows hang over the image"};
        const auto channels = static_cast<std::size_t>(l.channels);
        made_.numbers.real_starts.assign(channels, 0.0f);
        made_.numbers.scales.assign(channels, 1.0f / static_cast<float>(l.y.taps * l.x.taps));
        made_.numbers.weights.resize(4 * channels);
        const float one = 1;
        for (std::size_t c = 0; c < channels; ++c) std::memcpy(made_.numbers.weights.data() + 4 * c, &one, 4);
        return {};
    }

    /// A function of one or two tensors of one shape, with its operands as the region's inputs.
    [[nodiscard]] outcome<void> read_operands(std::string_view op, combine_function function, value_id a, value_id b) {
        const auto type = type_of(a);
        if (!type) return type.failure();
        for (const value_id v : {a, b}) {
            if (v >= r_.input_count) return error{std::string(op) + " has an operand that is a constant"};
            if (r_.type(v) != r_.type(a)) return error{"the processor combines tensors of one type and shape"};
        }
        strip_layer& l = made_.what;
        l.work = strip_work::combination;
        l.type = *type;
        l.reads_one = a == b;
        l.channels = static_cast<std::int64_t>(*element_count(static_shape(r_.type(a))));
        made_.inputs[0] = a;
        made_.inputs[1] = b;
        l.function = function;
        return {};
    }
    [[nodiscard]] outcome<void> read_function(const region_value& call) {
        const bool is_range = call.op == "onnx.Relu" || call.op == "onnx.Clip";
        if (r_.type(call.operands[0]).element != element_type::float32)
            return error{"numbers of other types than float32 are combined between DequantizeLinear and QuantizeLinear alone"};
        if (!is_range) {
            const combine_function function = call.op == "onnx.Add"   ? combine_function::add
                                              : call.op == "onnx.Sub" ? combine_function::subtract
                                                                      : combine_function::multiply;
            return read_operands(call.op, function, call.operands[0], call.operands[1]);
        }
        inlay::detail::float_range range{made_.numbers.real_low, made_.numbers.real_high};
        if (auto cut = range.cut_by(r_, call, "a call"); !cut) return cut;
        made_.numbers.real_low = range.low;
        made_.numbers.real_high = range.high;
        return read_operands(call.op, combine_function::first, call.operands[0], call.operands[0]);
    }

    /// A function of bytes as numbers.
    [[nodiscard]] outcome<void> read_steps() {
        const auto read = inlay::detail::quantized_combination::read(r_);
        if (!read) return read.failure();
        using form = inlay::detail::quantized_combination::form;
        constexpr combine_function functions[] = {combine_function::first, combine_function::add, combine_function::subtract,
                                                  combine_function::multiply};
        if (read->function == form::first && r_.calls().size() == 2)
            return error{"nothing is done between DequantizeLinear and QuantizeLinear"};
        if (auto known = read_operands("a sum", functions[static_cast<std::size_t>(read->function)], read->a.value, read->b.value); !known)
            return known;
        const auto out = type_of(r_.results[0]);
        if (!out || made_.what.type != *out || *out == operand_type::floats)
            return error{"the processor gives the type of bytes that it reads"};
        made_.numbers.combined = {read->a.scale, read->b.scale, read->y.scale, read->a.zero, read->b.zero, read->y.zero};
        made_.numbers.real_low = read->range.low;
        made_.numbers.real_high = read->range.high;
        return {};
    }

    const region_view& r_;
    read_strips_result made_;
};

}  // namespace detail

/// Reads a region of the operators that the processor has: convolutions whose channels are not mixed, of bytes or floats; poolings; sums,
/// differences, products and ranges of tensors of one shape, of floats, or of bytes between DequantizeLinear and QuantizeLinear. The error
/// says what of it the processor cannot do.
[[nodiscard]] inline outcome<read_strips_result> read_strips(const region_view& r) { return detail::strip_reader(r).read(); }

}  // namespace inlay::dsp_parts

#endif
