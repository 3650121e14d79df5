// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_QUANTIZED_STEPS_HPP
#define INLAY_BACKEND_QUANTIZED_STEPS_HPP

#include <cstddef>
#include <cstdint>

#include <inlay/backend/ranged_call.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ops/loops/quantized_number.hpp>
#include <inlay/ops/onnx/quantized_products.hpp>

namespace inlay::detail {

/// What is known before the run of a QLinearConv or QLinearMatMul: its weights, and what becomes of its sums.
struct quantized_steps {
    const tensor* weights = nullptr;       // int8 or uint8
    const tensor* weight_zeros = nullptr;  // of their type, one for all or one for each output channel
    const tensor* bias = nullptr;          // int32, or null
    const tensor* weight_scales = nullptr;
    float x_scale = 1, y_scale = 1;
    std::int32_t x_zero = 0, y_zero = 0, low = -128, high = 127;

    /// What sums of an output channel are multiplied by, as `requantized_number` has it.
    [[nodiscard]] float scale(std::size_t channel) const {
        return x_scale * weight_scales->as<float>()[weight_scales->count() == 1 ? 0 : channel] / y_scale;
    }
    /// The start of an output channel's sum.
    [[nodiscard]] std::int32_t start(std::size_t channel) const { return bias == nullptr ? 0 : bias->as<std::int32_t>()[channel]; }
    /// The zero point of an output channel's weights.
    [[nodiscard]] std::int32_t weight_zero(std::size_t channel) const {
        return whole_number_at(*weight_zeros, weight_zeros->count() == 1 ? 0 : channel);
    }
    /// Error: weights are other than int8 around 0.
    [[nodiscard]] outcome<void> check_centred() const {
        if (weights->element() != element_type::int8) return error{"only weights of int8 are computed"};
        for (std::size_t i = 0; i < weight_zeros->count(); ++i)
            if (whole_number_at(*weight_zeros, i) != 0) return error{"only weights whose zero point is 0 are computed"};
        return {};
    }
};

/// Reads such a call. The error says what of it is computed.
[[nodiscard]] inline outcome<quantized_steps> quantized_steps_of(const region_view& r, const region_value& call) {
    constexpr const quantized_product& at = linear_product;
    const auto constant = [&](int i) { return constant_of(r, call, place_of_operand(i)); };
    for (const int i : {static_cast<int>(at.w), at.x_zero, at.w_zero, at.x_scale, at.w_scale, at.y_scale, at.y_zero, at.bias})
        if (r.has_operand(call, place_of_operand(i)) && constant(i) == nullptr)
            return error{"weights, scales or zero points are not known before the run"};
    quantized_steps made;
    made.weights = constant(static_cast<int>(at.w));
    made.bias = constant(at.bias);
    made.weight_scales = constant(at.w_scale);
    made.weight_zeros = constant(at.w_zero);
    const tensor& y_zero = *constant(at.y_zero);
    made.x_scale = constant(at.x_scale)->as<float>()[0];
    made.y_scale = constant(at.y_scale)->as<float>()[0];
    made.x_zero = whole_number_at(*constant(at.x_zero), 0);
    made.y_zero = whole_number_at(y_zero, 0);
    if (y_zero.element() == element_type::uint8) {
        made.low = 0;
        made.high = 255;
    }
    return made;
}

}  // namespace inlay::detail

#endif
