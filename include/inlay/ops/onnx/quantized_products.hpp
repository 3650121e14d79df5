// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_QUANTIZED_PRODUCTS_HPP
#define INLAY_OPS_ONNX_QUANTIZED_PRODUCTS_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ops/attributes/quantization_attributes.hpp>
#include <inlay/ops/loops/quantized_number.hpp>
#include <inlay/ops/onnx/convolution.hpp>
#include <inlay/ops/onnx/matrix_product.hpp>
#include <inlay/ops/onnx/quantization.hpp>

namespace inlay {
namespace detail {

using byte_scalars = scalar_list<std::int8_t, std::uint8_t>;

/// Where a product of quantised numbers has its operands. -1: it has none of that.
struct quantized_product {
    std::size_t x = 0, w = 1;
    int x_zero = -1, w_zero = -1, x_scale = -1, w_scale = -1, y_scale = -1, y_zero = -1, bias = -1;
};
inline constexpr quantized_product integer_product{0, 1, 2, 3};
inline constexpr quantized_product linear_product{0, 3, 2, 5, 1, 4, 6, 7, 8};

/// The same product of float64 tensors: what its type rule and loops are those of.
class real_product {
public:
    real_product(const call_view& call, const quantized_product& at) : call_(call) {
        for (const int i : {static_cast<int>(at.x), static_cast<int>(at.w), at.bias})
            if (i >= 0 && call.has(static_cast<std::size_t>(i))) {
                tensor_type t = call.type(static_cast<std::size_t>(i));
                t.element = element_type::float64;
                types_.emplace_back(std::move(t));
            }
        for (const node_type& t : types_) of_.push_back(&t);
        constants_.resize(types_.size(), nullptr);
    }
    real_product(const real_product&) = delete;
    real_product& operator=(const real_product&) = delete;

    [[nodiscard]] call_view view() const { return {call_.op, call_.attributes, of_, constants_, 1}; }

private:
    const call_view& call_;
    std::vector<node_type> types_;
    std::vector<const node_type*> of_;
    std::vector<const tensor*> constants_;
};

inline std::size_t place_of_operand(int i) { return static_cast<std::size_t>(i); }

/// What is wrong with the element types and numbers beside the product, if anything: data are int8 or uint8, and there is one scale and
/// zero point for all, but for weights, which may have one for each of `channels`.
inline std::optional<error> wrong_quantized_operands(const call_view& call, const quantized_product& at, const extent& channels) {
    for (const std::size_t i : {at.x, at.w})
        if (auto wrong = wrong_element(call, i, elements(byte_scalars()))) return wrong;
    for (const auto& [of, zero] : {std::pair(at.x, at.x_zero), std::pair(at.w, at.w_zero)}) {
        if (zero < 0 || !call.has(place_of_operand(zero))) continue;
        const auto agreed = agreed_element(call, {of, place_of_operand(zero)}, elements(byte_scalars()));
        if (!agreed) return agreed.failure();
    }
    if (at.y_zero >= 0)
        if (auto wrong = wrong_element(call, place_of_operand(at.y_zero), elements(byte_scalars()))) return wrong;
    for (const int scale : {at.x_scale, at.w_scale, at.y_scale})
        if (scale >= 0)
            if (auto wrong = wrong_element(call, place_of_operand(scale), mask_of(element_type::none) | mask_of(element_type::float32)))
                return wrong;
    if (at.bias >= 0)
        if (auto wrong = wrong_element(call, place_of_operand(at.bias), mask_of(element_type::none) | mask_of(element_type::int32)))
            return wrong;
    for (const int i : {at.x_zero, at.x_scale, at.w_zero, at.w_scale, at.y_scale, at.y_zero}) {
        if (i < 0 || !call.has(place_of_operand(i)) || !call.type(place_of_operand(i)).ranked) continue;
        const tensor_type& t = call.type(place_of_operand(i));
        const bool is_one = t.rank() == 0 || (t.rank() == 1 && t.extents[0] == extent(1));
        const bool is_weights = i == at.w_zero || i == at.w_scale;
        if (is_one || (is_weights && t.rank() == 1 && can_be_equal(t.extents[0], channels))) continue;
        return error{short_name(call.op) + " has a scale or zero point of type " + to_string(t) + " as operand " + std::to_string(i) +
                     ", where one number is expected" + (is_weights ? ", or one for each of its output channels" : "")};
    }
    return std::nullopt;
}

/// The channels of what a product gives: those that its weights may have numbers for.
inline extent product_channels(const call_view& call, const quantized_product& at, bool is_convolution) {
    const tensor_type& w = call.type(at.w);
    if (!w.ranked) return {};
    if (w.rank() < 2) return extent(1);
    return is_convolution ? w.extents[0] : w.extents.back();
}

inline outcome<node_type> infer_quantized(const call_view& call, const quantized_product& at, std::size_t least, std::size_t most,
                                          bool is_convolution) {
    if (auto wrong = wrong_arity(call, least, most)) return std::move(*wrong);
    if (auto wrong = wrong_quantized_operands(call, at, product_channels(call, at, is_convolution))) return std::move(*wrong);
    const real_product real(call, at);
    auto y = is_convolution ? infer_conv(real.view()) : infer_matmul(real.view());
    if (!y) return y;
    y->of_tensor.element = at.y_zero >= 0 ? call.type(place_of_operand(at.y_zero)).element : element_type::int32;
    return y;
}

/// Bytes without their zero point, as float64, in which sums of their products are exact.
inline tensor without_zero(const tensor& t, const tensor* zero, std::size_t channel_axis) {
    tensor real(element_type::float64, t.extents());
    if (!real.ok()) return real;
    const auto zeros = numbers_along_axis::of(t.extents(), channel_axis, zero == nullptr ? 1 : zero->count());
    for (std::size_t i = 0; i < t.count(); ++i)
        real.as<double>()[i] = whole_number_at(t, i) - (zero == nullptr ? 0 : whole_number_at(*zero, zeros.at(i)));
    return real;
}

inline outcome<void> fill_quantized(const call_view& call, std::span<const tensor> operands, std::span<tensor> results,
                                    const quantized_product& at, bool is_convolution) {
    const auto there = [&](int i) { return i >= 0 && call.has(place_of_operand(i)) ? &operands[place_of_operand(i)] : nullptr; };
    const std::size_t w_axis = is_convolution ? 0 : std::max<std::size_t>(operands[at.w].rank(), 1) - 1;
    std::vector<tensor> real;
    real.push_back(without_zero(operands[at.x], there(at.x_zero), 0));
    real.push_back(without_zero(operands[at.w], there(at.w_zero), w_axis));
    if (const tensor* bias = there(at.bias)) real.push_back(without_zero(*bias, nullptr, 0));
    tensor sums(element_type::float64, results[0].extents());
    for (const tensor& t : real)
        if (!t.ok() || !sums.ok()) return no_memory(call, results[0].type());
    const real_product product(call, at);
    if (const auto filled =
            is_convolution ? fill_conv(product.view(), real, std::span(&sums, 1)) : fill_matmul(product.view(), real, std::span(&sums, 1));
        !filled)
        return filled;
    // Sums wrap as those of 32 bits do.
    const auto sum = [&](std::size_t i) {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(sums.as<double>()[i])));
    };
    if (at.y_zero < 0) {
        for (std::size_t i = 0; i < sums.count(); ++i) results[0].as<std::int32_t>()[i] = sum(i);
        return {};
    }
    const tensor &x_scale = operands[place_of_operand(at.x_scale)], &w_scale = operands[place_of_operand(at.w_scale)];
    const float y_scale = operands[place_of_operand(at.y_scale)].as<float>()[0];
    const std::int32_t zero = whole_number_at(operands[place_of_operand(at.y_zero)], 0);
    const auto channels =
        numbers_along_axis::of(sums.extents(), is_convolution ? 1 : std::max<std::size_t>(sums.rank(), 1) - 1, w_scale.count());
    visit_element_type(byte_scalars(), results[0].element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        for (std::size_t i = 0; i < sums.count(); ++i)
            results[0].as<T>()[i] =
                requantized_number<T>(sum(i), x_scale.as<float>()[0] * w_scale.as<float>()[channels.at(i)] / y_scale, zero);
    });
    return {};
}

inline outcome<node_type> infer_conv_integer(const call_view& call) { return infer_quantized(call, integer_product, 2, 4, true); }
inline outcome<void> fill_conv_integer(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    return fill_quantized(call, operands, results, integer_product, true);
}
inline outcome<node_type> infer_matmul_integer(const call_view& call) { return infer_quantized(call, integer_product, 2, 4, false); }
inline outcome<void> fill_matmul_integer(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    return fill_quantized(call, operands, results, integer_product, false);
}
inline outcome<node_type> infer_qlinear_conv(const call_view& call) { return infer_quantized(call, linear_product, 8, 9, true); }
inline outcome<void> fill_qlinear_conv(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    return fill_quantized(call, operands, results, linear_product, true);
}
inline outcome<node_type> infer_qlinear_matmul(const call_view& call) { return infer_quantized(call, linear_product, 8, 8, false); }
inline outcome<void> fill_qlinear_matmul(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    return fill_quantized(call, operands, results, linear_product, false);
}

template <bool IsLinear, bool IsConvolution>
op_work work_quantized(const call_view& call, const node_type& result) {
    const tensor_type& w = call.type(IsLinear ? linear_product.w : integer_product.w);
    double products = 1;
    if (IsConvolution)
        for (std::size_t i = 1; i < w.rank(); ++i) products *= static_cast<double>(w.extents[i].size);
    else
        products = static_cast<double>(call.type(0).extents.back().size);
    return {elements_of(result.of_tensor) * (2 * products + (IsLinear ? 2 : 0)), bytes_moved(call, result)};
}

}  // namespace detail

/// Products of quantised numbers: ConvInteger and MatMulInteger give sums of 32 bits, QLinearConv and QLinearMatMul bring them to the steps
/// of their result. What stands beside an image counts as the zero point.
template <class = void>
struct onnx_quantized_products {
    static constexpr auto table = with_attributes<integer_conv_attributes>({
        {"onnx.ConvInteger", op_kind::anchor, detail::infer_conv_integer, filled<detail::infer_conv_integer, detail::fill_conv_integer>,
         detail::work_quantized<false, true>},
        {"onnx.MatMulInteger", op_kind::anchor, detail::infer_matmul_integer,
         filled<detail::infer_matmul_integer, detail::fill_matmul_integer>, detail::work_quantized<false, false>},
        {"onnx.QLinearConv", op_kind::anchor, detail::infer_qlinear_conv, filled<detail::infer_qlinear_conv, detail::fill_qlinear_conv>,
         detail::work_quantized<true, true>},
        {"onnx.QLinearMatMul", op_kind::anchor, detail::infer_qlinear_matmul,
         filled<detail::infer_qlinear_matmul, detail::fill_qlinear_matmul>, detail::work_quantized<true, false>},
    });
};

}  // namespace inlay

#endif
