// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_QUANTIZATION_HPP
#define INLAY_OPS_ONNX_QUANTIZATION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/ops/agreed_element.hpp>
#include <inlay/ops/attributes/quantization_attributes.hpp>
#include <inlay/ops/loops/evaluate_by_filling.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/float8.hpp>
#include <inlay/ops/loops/half_float.hpp>
#include <inlay/ops/loops/quantized_number.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>
#include <inlay/ops/onnx/onnx_element_type.hpp>

namespace inlay {
namespace detail {

using quantized_scalars = scalar_list<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t>;
using dequantized_scalars = scalar_list<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t>;

/// What is wrong with operand i as scales or zero points of operand `of` in blocks along an axis, if anything.
inline std::optional<error> wrong_blocks(const call_view& call, std::size_t i, std::size_t of, std::size_t axis, std::int64_t block_size) {
    const tensor_type &x = call.type(of), &s = call.type(i);
    bool fits = s.rank() == x.rank();
    for (std::size_t k = 0; fits && k < x.rank(); ++k) {
        const extent& whole = x.extents[k];
        const std::int64_t blocks = whole.is_known() ? whole.size / block_size + (whole.size % block_size != 0 ? 1 : 0) : 0;
        fits = k != axis ? can_be_equal(s.extents[k], whole) : !whole.is_known() || can_be_equal(s.extents[k], blocks);
    }
    if (fits) return std::nullopt;
    return error{short_name(call.op) + " has scales or zero points of type " + to_string(s) + " for data of type " + to_string(x) +
                 ", where one is expected for each block of " + std::to_string(block_size) + " places along axis " + std::to_string(axis)};
}

/// What is wrong with operand i as scales or zero points of operand `of`, if anything: one number, one for each place along the axis, or
/// one for each block of places there.
inline std::optional<error> wrong_steps(const call_view& call, std::size_t i, std::size_t of, std::int64_t stated,
                                        std::int64_t block_size = 0) {
    if (!call.has(i) || !call.type(i).ranked) return std::nullopt;
    const tensor_type &x = call.type(of), &s = call.type(i);
    const auto one_for_all = [&] { return s.rank() == 0 || (s.rank() == 1 && s.extents[0] == extent(1)); };
    if (one_for_all() || !x.ranked) return std::nullopt;
    const auto axis = axis_of(stated, x.rank());
    if (!axis) return no_such_axis(call, stated, x.rank());
    if (block_size > 0) return wrong_blocks(call, i, of, *axis, block_size);
    if (s.rank() == 1 && can_be_equal(s.extents[0], x.extents[*axis])) return std::nullopt;
    return error{short_name(call.op) + " has scales or zero points of type " + to_string(s) + " for data of type " + to_string(x) +
                 ", where one number is expected, or one for each place along axis " + std::to_string(*axis)};
}

/// What is wrong with data, scales and zero points, if anything.
inline std::optional<error> wrong_quantization(const call_view& call, std::int64_t axis, std::int64_t block_size) {
    if (block_size < 0 || (block_size != 0 && !in_force<"ops.quantization.blocks">()))
        return error{short_name(call.op) + " has block_size " + std::to_string(block_size) +
                     ", where 0 or the size of a block is expected"};
    if (auto wrong = wrong_arity(call, 2, 3)) return wrong;
    if (auto wrong = wrong_element(call, 1, elements(scalar_list<float>()))) return wrong;
    if (auto wrong = wrong_steps(call, 1, 0, axis, block_size)) return wrong;
    return wrong_steps(call, 2, 0, axis, block_size);
}

inline constexpr element_mask float8_elements = mask_of(element_type::float8_e4m3fn) | mask_of(element_type::float8_e4m3fnuz) |
                                                mask_of(element_type::float8_e5m2) | mask_of(element_type::float8_e5m2fnuz);

/// Which number of `count` each element of these extents has, along an axis or in blocks.
inline numbers_along_axis steps_of(const std::vector<std::int64_t>& extents, std::size_t axis, std::int64_t block_size, std::size_t count) {
    return block_size > 0 ? numbers_along_axis::in_blocks(extents, axis, block_size, count) : numbers_along_axis::of(extents, axis, count);
}

/// The element type of what QuantizeLinear gives: its zero point's, the one that it names, or uint8.
inline outcome<element_type> quantized_element(const call_view& call) {
    element_type to = element_type::uint8;
    const std::int64_t stated = read<quantize_linear_attributes>(call).output_dtype;
    if (stated != 0) {
        const auto named = element_type_numbered(stated);
        if (!named) return error{"QuantizeLinear has output_dtype " + std::to_string(stated) + ", which is the number of no element type"};
        to = *named;
    } else if (call.has(2)) {
        to = call.type(2).element;
    }
    if ((mask_of(to) & (elements(quantized_scalars()) | float8_elements)) == 0)
        return error{"QuantizeLinear gives int8, uint8, int16, uint16 or an 8-bit float, and has a zero point or output_dtype of type " +
                     std::string(name_of(to))};
    if (call.has(2) && call.type(2).element != element_type::none && call.type(2).element != to)
        return error{"QuantizeLinear has a zero point of type " + std::string(name_of(call.type(2).element)) + " and output_dtype " +
                     std::string(name_of(to)) + ", which must be one"};
    return to;
}

inline outcome<node_type> infer_quantize_linear(const call_view& call) {
    const auto how = read<quantize_linear_attributes>(call);
    if (auto wrong = wrong_quantization(call, how.axis, how.block_size)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, elements(scalar_list<float, std::int32_t>()))) return std::move(*wrong);
    const auto to = quantized_element(call);
    if (!to) return to.failure();
    tensor_type y = call.type(0);
    y.element = *to;
    return node_type(std::move(y));
}

inline outcome<void> fill_quantize_linear(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const tensor &x = operands[0], &scale = operands[1];
    const auto how = read<quantize_linear_attributes>(call);
    const std::size_t axis = axis_of(how.axis, x.rank()).value_or(0);
    const auto scales = steps_of(x.extents(), axis, how.block_size, scale.count());
    const auto zeros = steps_of(x.extents(), axis, how.block_size, call.has(2) ? operands[2].count() : 1);
    const auto number = [&](std::size_t i) {
        const float v = x.element() == element_type::float32 ? x.as<float>()[i] : static_cast<float>(x.as<std::int32_t>()[i]);
        return v / scale.as<float>()[scales.at(i)];
    };
    visit_element_type(quantized_scalars(), results[0].element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        const auto y = results[0].as<T>();
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] = quantized_number<T>(number(i), call.has(2) ? whole_number_at(operands[2], zeros.at(i)) : 0);
    });
    // The zero point of an 8-bit float is 0.
    visit_float8(results[0].element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        const auto y = results[0].as<T>();
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = T::narrowed(static_cast<double>(number(i)), how.saturate);
    });
    return {};
}

inline outcome<node_type> infer_dequantize_linear(const call_view& call) {
    const auto how = read<dequantize_linear_attributes>(call);
    if (auto wrong = wrong_quantization(call, how.axis, how.block_size)) return std::move(*wrong);
    constexpr element_mask taken = elements(dequantized_scalars()) | float8_elements;
    if (auto wrong = wrong_element(call, 0, taken)) return std::move(*wrong);
    const element_type to =
        how.output_dtype == 0 ? call.type(1).element : element_type_numbered(how.output_dtype).value_or(element_type::none);
    if (how.output_dtype != 0 && to != element_type::float32 && !is_half(to))
        return error{"DequantizeLinear has output_dtype " + std::to_string(how.output_dtype) +
                     ", where the number of float32, float16 or bfloat16 is expected"};
    const auto agreed = agreed_element(call, {0, 2}, taken);
    if (!agreed) return agreed.failure();
    tensor_type y = call.type(0);
    y.element = to;
    return node_type(std::move(y));
}

inline outcome<void> fill_dequantize_linear(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const tensor &x = operands[0], &scale = operands[1];
    const auto how = read<dequantize_linear_attributes>(call);
    const std::size_t axis = axis_of(how.axis, x.rank()).value_or(0);
    const auto scales = steps_of(x.extents(), axis, how.block_size, scale.count());
    const auto zeros = steps_of(x.extents(), axis, how.block_size, call.has(2) ? operands[2].count() : 1);
    const auto fill = [&](auto&& steps) {
        const auto store = [&](auto y, auto&& narrowed) {
            for (std::size_t i = 0; i < y.size(); ++i) y[i] = narrowed(steps(i) * scale.as<float>()[scales.at(i)]);
        };
        if (results[0].element() == element_type::float16)
            store(results[0].as<std::uint16_t>(), [](float v) { return float16_bits::narrowed(static_cast<double>(v)).bits; });
        else if (results[0].element() == element_type::bfloat16)
            store(results[0].as<std::uint16_t>(), [](float v) { return bfloat16_bits::narrowed(static_cast<double>(v)).bits; });
        else
            store(results[0].as<float>(), [](float v) { return v; });
    };
    const bool is_float = visit_float8(x.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        fill([&](std::size_t i) { return static_cast<float>(x.as<T>()[i].widened()); });
    });
    if (!is_float)
        fill([&](std::size_t i) {
            return static_cast<float>(std::int64_t{whole_number_at(x, i)} - (call.has(2) ? whole_number_at(operands[2], zeros.at(i)) : 0));
        });
    return {};
}

inline outcome<node_type> infer_dynamic_quantize_linear(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, mask_of(element_type::none) | mask_of(element_type::float32))) return std::move(*wrong);
    if (call.outputs > 3) return error{"DynamicQuantizeLinear does not have " + std::to_string(call.outputs) + " outputs"};
    tensor_type y = call.type(0);
    y.element = element_type::uint8;
    if (call.outputs == 1) return node_type(std::move(y));
    std::vector<node_type> all{node_type(std::move(y)), node_type(tensor_type(element_type::float32, shape())),
                               node_type(tensor_type(element_type::uint8, shape()))};
    all.resize(call.outputs);
    return node_type::tuple(std::move(all));
}

inline outcome<void> fill_dynamic_quantize_linear(const call_view&, std::span<const tensor> operands, std::span<tensor> results) {
    float low = 0, high = 0;
    for (const float v : operands[0].as<float>()) {
        low = std::min(low, v);
        high = std::max(high, v);
    }
    const float scale = high == low ? 1.0f : (high - low) / 255;
    const std::uint8_t zero = quantized_number<std::uint8_t>((0 - low) / scale, 0);
    for (std::size_t i = 0; i < operands[0].count(); ++i)
        results[0].as<std::uint8_t>()[i] = quantized_number<std::uint8_t>(operands[0].as<float>()[i] / scale, zero);
    if (results.size() > 1) results[1].as<float>()[0] = scale;
    if (results.size() > 2) results[2].as<std::uint8_t>()[0] = zero;
    return {};
}

inline op_work work_of_quantizing(const call_view& call, const node_type& result) {
    return {2 * elements_of(call.type(0)), bytes_moved(call, result)};
}

}  // namespace detail

/// Numbers in steps of a scale around a zero point: QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear. Steps are rounded half to even
/// and cut to the range of their type; the scale is one for all, one for each place along an axis, or one for each block of places there.
template <class = void>
struct onnx_quantization {
    static constexpr auto table = with_attributes<quantize_linear_attributes, dequantize_linear_attributes>({
        {"onnx.QuantizeLinear", op_kind::elementwise, detail::infer_quantize_linear,
         filled<detail::infer_quantize_linear, detail::fill_quantize_linear>, detail::work_of_quantizing},
        {"onnx.DequantizeLinear", op_kind::elementwise, detail::infer_dequantize_linear,
         filled<detail::infer_dequantize_linear, detail::fill_dequantize_linear>, detail::work_of_quantizing},
        {"onnx.DynamicQuantizeLinear", op_kind::opaque, detail::infer_dynamic_quantize_linear,
         filled<detail::infer_dynamic_quantize_linear, detail::fill_dynamic_quantize_linear>, detail::work_of_quantizing},
    });
};

}  // namespace inlay

#endif
