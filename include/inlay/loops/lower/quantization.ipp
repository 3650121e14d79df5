// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_QUANTIZATION_IPP
#define INLAY_LOOPS_LOWER_QUANTIZATION_IPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/loops/lower/quantization.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/loops/lower/products.hpp>
#include <inlay/loops/lower/windows.hpp>
#include <inlay/ops/attributes/quantization_attributes.hpp>
#include <inlay/ops/onnx/quantized_products.hpp>

namespace inlay::detail {

/// The least and the greatest number of a quantised element type.
struct quantized_range {
    double low = 0, high = 0;
};
[[nodiscard]] inline quantized_range quantized_range_of(element_type e) {
    switch (e) {
        case element_type::int8:
            return {-128, 127};
        case element_type::uint8:
            return {0, 255};
        case element_type::int16:
            return {-32768, 32767};
        default:
            return {0, 65535};
    }
}

/// The number of an operand of scales or zero points that belongs to the place `index` of its axis.
[[nodiscard]] inline expression_id step_number(const lowered_call& c, std::size_t operand, const affine& index) {
    const std::vector<std::int64_t>& extents = c.extents_of(operand);
    if (extents.empty()) return c.operands[operand].read({});
    return c.operands[operand].read({extents[0] == 1 ? affine() : index});
}

/// Steps rounded, moved by a zero point (float32, or nothing) and cut to the range of an element type, as that.
[[nodiscard]] inline expression_id quantized(const lowered_call& c, expression_id steps, const expression_id* zero, element_type to) {
    nest_builder& b = c.build();
    const quantized_range range = quantized_range_of(to);
    expression_id moved = b.apply(scalar_function::round, {steps});
    if (zero != nullptr) moved = b.apply(scalar_function::add, {moved, *zero});
    const expression_id low = b.number(range.low, element_type::float32), high = b.number(range.high, element_type::float32);
    return b.cast(b.apply(scalar_function::minimum, {b.apply(scalar_function::maximum, {moved, low}), high}), to);
}

[[nodiscard]] inline outcome<lowered_tensor> lower_quantize_linear(const lowered_call& c) {
    const auto how = read<quantize_linear_attributes>(c.call);
    if (how.block_size != 0) return error{"scales in blocks have no loop nest"};
    const std::size_t axis = axis_of(how.axis, c.extents.size()).value_or(0);
    return c.nest.computed(c.extents, c.element, 5 + c.operands[0].cost, [c, axis](const std::vector<affine>& at) {
        nest_builder& b = c.build();
        const affine place = at.empty() ? affine() : at[axis];
        const expression_id x = b.cast(c.operands[0].read(at), element_type::float32);
        const expression_id steps = b.apply(scalar_function::divide, {x, step_number(c, 1, place)});
        if (!c.has(2)) return quantized(c, steps, nullptr, c.element);
        const expression_id zero = b.cast(step_number(c, 2, place), element_type::float32);
        return quantized(c, steps, &zero, c.element);
    });
}

[[nodiscard]] inline outcome<lowered_tensor> lower_dequantize_linear(const lowered_call& c) {
    const auto how = read<dequantize_linear_attributes>(c.call);
    if (how.block_size != 0) return error{"scales in blocks have no loop nest"};
    const std::size_t axis = axis_of(how.axis, c.extents.size()).value_or(0);
    return c.nest.computed(c.extents, c.element, 3 + c.operands[0].cost, [c, axis](const std::vector<affine>& at) {
        nest_builder& b = c.build();
        const affine place = at.empty() ? affine() : at[axis];
        // Differences of 32 bits need 64.
        expression_id steps = b.cast(c.operands[0].read(at), element_type::int64);
        if (c.has(2)) steps = b.apply(scalar_function::subtract, {steps, b.cast(step_number(c, 2, place), element_type::int64)});
        return b.apply(scalar_function::multiply, {b.cast(steps, element_type::float32), step_number(c, 1, place)});
    });
}

/// A byte of an operand without its zero point, as int32.
[[nodiscard]] inline expression_id without_zero_point(const lowered_call& c, expression_id byte, int zero, const affine& channel) {
    nest_builder& b = c.build();
    const expression_id wide = b.cast(byte, element_type::int32);
    if (zero < 0 || !c.has(place_of_operand(zero))) return wide;
    return b.apply(scalar_function::subtract, {wide, b.cast(step_number(c, place_of_operand(zero), channel), element_type::int32)});
}

/// Sums of 32 bits as what the call gives: themselves, or brought to the steps of the result. Weights' numbers go along axis `channels`.
[[nodiscard]] inline lowered_tensor requantized(const lowered_call& c, const quantized_product& at, const lowered_tensor& sums,
                                                std::size_t channels) {
    if (at.y_zero < 0) return sums;
    return c.nest.computed(c.extents, c.element, 8, [c, at, sums, channels](const std::vector<affine>& place) {
        nest_builder& b = c.build();
        const affine channel = place.empty() ? affine() : place[channels];
        expression_id sum = sums.read(place);
        if (at.bias >= 0 && c.has(place_of_operand(at.bias)))
            sum = b.apply(scalar_function::add, {sum, c.operands[place_of_operand(at.bias)].read({channel})});
        const expression_id scale =
            b.apply(scalar_function::divide, {b.apply(scalar_function::multiply, {step_number(c, place_of_operand(at.x_scale), affine()),
                                                                                  step_number(c, place_of_operand(at.w_scale), channel)}),
                                              step_number(c, place_of_operand(at.y_scale), affine())});
        const expression_id steps = b.apply(scalar_function::multiply, {b.cast(sum, element_type::float32), scale});
        const expression_id zero = b.cast(step_number(c, place_of_operand(at.y_zero), affine()), element_type::float32);
        return quantized(c, steps, &zero, c.element);
    });
}

[[nodiscard]] inline outcome<lowered_tensor> lower_quantized_conv(const lowered_call& c, const quantized_product& at) {
    const lowered_tensor x = c.nest.stored(c.operands[at.x]), w = c.nest.stored(c.operands[at.w]);
    const auto windows = lowered_windows(c, {w.extents.begin() + 2, w.extents.end()});
    if (!windows) return windows.failure();
    const lowered_tensor sums =
        window_sums(c, x, w, *windows, read<integer_conv_attributes>(c.call).group, element_type::int32,
                    [&](const std::vector<affine>& from, const std::vector<affine>& weight) {
                        return c.build().apply(scalar_function::multiply, {without_zero_point(c, x.read(from), at.x_zero, affine()),
                                                                           without_zero_point(c, w.read(weight), at.w_zero, weight[0])});
                    });
    return requantized(c, at, sums, 1);
}

[[nodiscard]] inline outcome<lowered_tensor> lower_quantized_matmul(const lowered_call& c, const quantized_product& at) {
    const lowered_tensor a = c.nest.stored(c.operands[at.x]), b = c.nest.stored(c.operands[at.w]);
    const lowered_tensor sums =
        matrix_sums(c, a, b, element_type::int32, [&](const std::vector<affine>& left, const std::vector<affine>& right) {
            return c.build().apply(scalar_function::multiply, {without_zero_point(c, a.read(left), at.x_zero, affine()),
                                                               without_zero_point(c, b.read(right), at.w_zero, right.back())});
        });
    return requantized(c, at, sums, c.extents.empty() ? 0 : c.extents.size() - 1);
}

inline constexpr lowering_entry quantization_entries[] = {
    {"onnx.QuantizeLinear", &lower_quantize_linear},
    {"onnx.DequantizeLinear", &lower_dequantize_linear},
    {"onnx.ConvInteger", [](const lowered_call& c) { return lower_quantized_conv(c, integer_product); }},
    {"onnx.QLinearConv", [](const lowered_call& c) { return lower_quantized_conv(c, linear_product); }},
    {"onnx.MatMulInteger", [](const lowered_call& c) { return lower_quantized_matmul(c, integer_product); }},
    {"onnx.QLinearMatMul", [](const lowered_call& c) { return lower_quantized_matmul(c, linear_product); }}};

std::span<const lowering_entry> quantization_lowerings() { return quantization_entries; }

}  // namespace inlay::detail

#endif
