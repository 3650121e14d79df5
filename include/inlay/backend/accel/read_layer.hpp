// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ACCEL_READ_LAYER_HPP
#define INLAY_BACKEND_ACCEL_READ_LAYER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/accelerator/operand_type.hpp>
#include <inlay/accelerator/tap_axis.hpp>
#include <inlay/backend/accel/layer.hpp>
#include <inlay/backend/accel/packed_layer.hpp>
#include <inlay/backend/image_axes.hpp>
#include <inlay/backend/quantized_steps.hpp>
#include <inlay/backend/ranged_call.hpp>
#include <inlay/backend/static_region.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/broadcast_operand.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ops/attributes/quantization_attributes.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>
#include <inlay/ops/loops/quantized_number.hpp>
#include <inlay/ops/loops/window.hpp>
#include <inlay/ops/onnx/quantized_products.hpp>

namespace inlay::accel_parts {

/// A region as a layer, and what is needed to pack it.
struct read_layer_result {
    layer what;
    bool is_image = false;  // channels are the second axis outside, and the last one inside
};

/// Reads a region of the operators that the machine has: QLinearConv and QLinearMatMul on bytes, Conv, Gemm and MatMul with what cuts them
/// to a range on floats. The error says what of it the machine cannot do.
class layer_reader {
public:
    layer_reader(const region_view& r, bool is_real) : r_(r), is_real_(is_real) {}

    [[nodiscard]] outcome<read_layer_result> read() {
        auto product = inlay::detail::ranged_call_of(r_, "a product");
        if (!product) return product.failure();
        product_ = *product;
        const region_value& call = *product_.call;
        if (auto fine = inlay::detail::check_static_region(r_); !fine) return fine.failure();
        const bool is_quantized = call.op == "onnx.QLinearConv" || call.op == "onnx.QLinearMatMul";
        is_convolution_ = call.op == "onnx.QLinearConv" || call.op == "onnx.Conv";
        if (is_quantized == is_real_)
            return error{std::string("the machine computes with ") + (is_real_ ? "float32" : "bytes") + "; '-element " +
                         (is_real_ ? "int8" : "float32") + "' has the other one"};
        if (is_quantized && r_.calls().size() != 1) return error{"behind a quantised product nothing else is done with it"};
        at_ = is_quantized ? inlay::detail::linear_product : inlay::detail::quantized_product{0, 1, -1, -1, -1, -1, -1, -1, 2};
        if (r_.input_count != 1 || call.operands[at_.x] != 0) return error{"it reads other tensors than one, or its weights are computed"};
        if (auto known = read_constants(call); !known) return known.failure();
        return is_convolution_ ? read_convolution(call) : read_product(call);
    }

    /// The constants of what was read.
    [[nodiscard]] layer_numbers numbers(const layer& l) const {
        const region_value& call = *product_.call;
        layer_numbers n;
        const tensor& w = *constant(at_.w);
        const auto element = static_cast<std::size_t>(l.element());
        n.weights.resize(static_cast<std::size_t>(l.weight_bytes()));
        const bool turned = !is_convolution_ && call.op == "onnx.Gemm" && inlay::read<gemm_attributes>(*call.attributes).trans_b;
        const std::int64_t taps = l.taps(), filters = l.groups * l.filters;
        for (std::int64_t t = 0; t < taps; ++t)
            for (std::int64_t c = 0; c < l.channels; ++c)
                for (std::int64_t f = 0; f < filters; ++f) {
                    const std::int64_t from = is_convolution_ ? (f * l.channels + c) * taps + t
                                              : turned        ? f * l.channels + c
                                                              : c * filters + f;
                    std::memcpy(n.weights.data() + static_cast<std::size_t>((t * l.channels + c) * filters + f) * element,
                                w.data() + static_cast<std::size_t>(from) * element, element);
                }
        const tensor* bias = at_.bias >= 0 ? constant(static_cast<std::size_t>(at_.bias)) : nullptr;
        for (std::int64_t f = 0; f < filters; ++f) {
            const auto channel = static_cast<std::size_t>(f);
            if (is_real_) {
                const std::size_t one = bias != nullptr && bias->count() == 1 ? 0 : channel;
                n.real_biases.push_back(bias == nullptr ? 0.0f : bias->as<float>()[one]);
                n.scales.push_back(1);
                continue;
            }
            // What inputs have too much by their zero point goes with the bias.
            auto sum = static_cast<std::uint32_t>(steps_.start(channel));
            for (std::int64_t k = 0; k < taps * l.channels; ++k)
                sum -= static_cast<std::uint32_t>(steps_.x_zero *
                                                  static_cast<std::int8_t>(n.weights[static_cast<std::size_t>(k * filters + f)]));
            n.biases.push_back(static_cast<std::int32_t>(sum));
            n.scales.push_back(steps_.scale(channel));
        }
        if (is_real_) {
            n.real_low = product_.range.low;
            n.real_high = product_.range.high;
        } else {
            n.zero = steps_.y_zero;
            n.low = steps_.low;
            n.high = steps_.high;
        }
        return n;
    }

private:
    [[nodiscard]] const tensor* constant(std::size_t i) const { return inlay::detail::constant_of(r_, *product_.call, i); }

    [[nodiscard]] outcome<void> read_constants(const region_value& call) {
        if (!is_real_) {
            const auto steps = inlay::detail::quantized_steps_of(r_, call);
            if (!steps) return steps.failure();
            if (auto fine = steps->check_centred(); !fine) return fine.failure();
            steps_ = *steps;
            return {};
        }
        for (const int i : {static_cast<int>(at_.w), at_.bias})
            if (r_.has_operand(call, static_cast<std::size_t>(i)) && constant(static_cast<std::size_t>(i)) == nullptr)
                return error{"weights or biases are not known before the run"};
        if (r_.type(call.operands[at_.x]).element != element_type::float32 || constant(at_.w)->element() != element_type::float32)
            return error{"the machine computes with float32 alone"};
        return {};
    }
    [[nodiscard]] operand_type type_of_inputs() const {
        if (is_real_) return operand_type::floats;
        return r_.type(0).element == element_type::uint8 ? operand_type::unsigned_bytes : operand_type::signed_bytes;
    }

    [[nodiscard]] outcome<read_layer_result> read_convolution(const region_value& call) const {
        const std::vector<std::int64_t> x = static_shape(r_.type(0)), w = constant(at_.w)->extents(),
                                        y = static_shape(r_.type(r_.results[0]));
        const auto how = inlay::read<conv_attributes>(*call.attributes);
        if (how.group > 1 && w[1] == 1) return error{"sums over one channel each leave the array all but idle"};
        const auto axes = inlay::detail::image_axes_of(r_, call, {w.begin() + 2, w.end()});
        if (!axes) return axes.failure();
        read_layer_result made;
        made.is_image = true;
        layer& l = made.what;
        l.y = axes->y;
        l.x = axes->x;
        l.images = x[0];
        l.groups = how.group;
        l.channels = w[1];
        l.filters = y[1] / how.group;
        l.type = type_of_inputs();
        l.beside = static_cast<std::uint8_t>(steps_.x_zero);
        if (l.macs() == 0) return error{"there is nothing to sum"};
        l = l.flattened();
        return made;
    }
    [[nodiscard]] outcome<read_layer_result> read_product(const region_value& call) const {
        const std::vector<std::int64_t> x = static_shape(r_.type(0)), w = constant(at_.w)->extents(),
                                        y = static_shape(r_.type(r_.results[0]));
        if (w.size() != 2 || x.size() < 2) return error{"the machine multiplies rows by one matrix of weights"};
        if (call.op == "onnx.Gemm") {
            const auto how = inlay::read<gemm_attributes>(*call.attributes);
            if (how.trans_a || how.alpha != 1 || how.beta != 1)
                return error{"the machine has no transposed inputs and no other factors than 1"};
            const tensor* bias = constant(2);
            const auto beside = bias == nullptr ? std::nullopt : broadcast_operand::of(bias->extents(), y);
            if (bias != nullptr && !(beside && beside->varies_only_along(axis_set::only(y.size() - 1))))
                return error{"the machine has one bias for each output channel"};
        }
        read_layer_result made;
        layer& l = made.what;
        l.x.in = l.x.out = extent_product(x, 0, x.size() - 1);
        l.channels = x.back();
        l.filters = y.back();
        l.type = type_of_inputs();
        if (l.macs() == 0) return error{"there is nothing to sum"};
        return made;
    }

    const region_view& r_;
    bool is_real_ = false, is_convolution_ = false;
    inlay::detail::ranged_call product_;
    inlay::detail::quantized_product at_{};
    inlay::detail::quantized_steps steps_;
};

}  // namespace inlay::accel_parts

#endif
