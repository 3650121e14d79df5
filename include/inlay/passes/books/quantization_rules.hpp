// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_QUANTIZATION_RULES_HPP
#define INLAY_PASSES_BOOKS_QUANTIZATION_RULES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <inlay/graph/attribute_list.hpp>
#include <inlay/graph/broadcast_operand.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ops/attributes/quantization_attributes.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/loops/quantized_number.hpp>
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

namespace detail {

/// A tensor that a DequantizeLinear makes numbers of.
struct dequantized_tensor {
    node_id steps = no_node, scale = no_node, zero = no_node;  // `zero` may be left out
    std::int64_t axis = 1;
};

template <class Graph>
[[nodiscard]] bool has_operand(const Graph& g, node_id n, std::size_t i) {
    return i < g.arity(n) && !g.type(g.operand(n, i)).is_tuple();
}

/// Whether steps are integers with scales of float32, one for all or one for each place along an axis.
template <class Attributes, class Graph>
[[nodiscard]] bool has_plain_steps(const Graph& g, node_id n) {
    const auto how = read<Attributes>(g.attributes(n));
    if (how.block_size != 0) return false;
    const tensor* const scale = g.constant(g.operand(n, 1));
    return scale != nullptr && scale->element() == element_type::float32 && g.type(n).is_tensor() &&
           !is_float8(g.type(n).of_tensor.element) && !is_half(g.type(n).of_tensor.element);
}

/// What a node is the numbers of, where scale and zero point are known.
template <class Graph>
[[nodiscard]] std::optional<dequantized_tensor> dequantized_of(const Graph& g, node_id n) {
    if (g.op(n) != "onnx.DequantizeLinear") return std::nullopt;
    dequantized_tensor d{g.operand(n, 0), g.operand(n, 1), has_operand(g, n, 2) ? g.operand(n, 2) : no_node,
                         read<dequantize_linear_attributes>(g.attributes(n)).axis};
    if (!has_plain_steps<dequantize_linear_attributes>(g, n)) return std::nullopt;
    if (g.constant(d.scale) == nullptr || (d.zero != no_node && g.constant(d.zero) == nullptr) || !g.type(d.steps).is_tensor())
        return std::nullopt;
    return d;
}

/// A zero point that was left out is 0.
template <class Fragment>
[[nodiscard]] node_id zero_point(Fragment& f, node_id zero, element_type e) {
    if (zero != no_node) return zero;
    return f.constant(e == element_type::int8 ? tensor::scalar(std::int8_t{0}) : tensor::scalar(std::uint8_t{0}));
}

/// A convolution or product of dequantised tensors that is quantised again, as the one operator that it is; with a Relu between where the
/// zero point of the result is its least number, so that cutting to the range is the Relu. A Gemm, whose bias QLinearMatMul has not, is a
/// convolution of images of one place.
template <bool HasRelu>
struct one_quantized_product {
    template <class Match, class Fragment>
    node_id operator()(const Match& m, Fragment& f) const {
        const auto& g = m.graph();
        const node_id root = m.root(), product = m.template at<"product">();
        if (!has_plain_steps<quantize_linear_attributes>(g, root)) return no_node;
        const bool is_gemm = g.op(product) == "onnx.Gemm", is_convolution = is_gemm || g.op(product) == "onnx.Conv";
        const auto x = dequantized_of(g, g.operand(product, 0)), w = dequantized_of(g, g.operand(product, 1));
        if (!x || !w || g.constant(w->steps) == nullptr) return no_node;
        const element_type x_element = g.type(x->steps).of_tensor.element, w_element = g.constant(w->steps)->element();
        if (!is_byte(x_element) || !is_byte(w_element) || g.constant(x->scale)->count() != 1) return no_node;
        const tensor& w_scale = *g.constant(w->scale);
        const auto rank = static_cast<std::int64_t>(g.constant(w->steps)->rank());
        const bool by_rows = is_gemm && read<gemm_attributes>(g.attributes(product)).trans_b;
        const std::int64_t axis = w->axis < 0 ? w->axis + rank : w->axis, channels = (is_gemm ? by_rows : is_convolution) ? 0 : rank - 1;
        if (w_scale.count() != 1 && (axis != channels || rank < 2 || w_scale.rank() != 1)) return no_node;
        const tensor* y_scale = g.constant(g.operand(root, 1));
        const tensor* y_zero = has_operand(g, root, 2) ? g.constant(g.operand(root, 2)) : nullptr;
        if (y_scale == nullptr || y_scale->count() != 1 || (has_operand(g, root, 2) && y_zero == nullptr)) return no_node;
        const element_type y_element = g.type(root).is_tensor() ? g.type(root).of_tensor.element : element_type::none;
        if (!is_byte(y_element) || (y_zero != nullptr && y_zero->count() != 1)) return no_node;
        if (HasRelu && (y_zero == nullptr ? 0 : whole_number_at(*y_zero, 0)) != (y_element == element_type::int8 ? -128 : 0))
            return no_node;
        if (is_gemm && !is_plain_gemm(g, product)) return no_node;
        node_id bias = no_node;
        if (is_convolution && has_operand(g, product, 2)) {
            bias = sums_of_bias(g, g.operand(product, 2), *g.constant(x->scale), w_scale);
            if (bias == no_node) return no_node;
        }
        const tensor& weights = *g.constant(w->steps);
        const std::int64_t filters = is_gemm ? weights.extents()[by_rows ? 0 : 1] : 0;
        if (is_gemm && bias != no_node) {
            // A row of the result, and no column of as many numbers.
            const auto beside = broadcast_operand::of(g.constant(bias)->extents(), std::vector<std::int64_t>{1, filters});
            if (!beside || !beside->is_one_for_each_of(axis_set::only(1))) return no_node;
        }
        const auto shaped = [&](node_id n, std::vector<std::int64_t> extents) {
            const auto count = static_cast<std::int64_t>(extents.size());
            return f.call("onnx.Reshape", {n, f.constant(tensor::of<std::int64_t>({count}, extents))}, attribute_map());
        };
        std::vector<node_id> operands{is_gemm ? shaped(x->steps, {-1, weights.extents()[by_rows ? 1 : 0], 1, 1}) : x->steps,
                                      x->scale,
                                      zero_point(f, x->zero, x_element),
                                      is_gemm ? f.constant(as_filters(weights, by_rows)) : w->steps,
                                      w->scale,
                                      zero_point(f, w->zero, w_element),
                                      g.operand(root, 1),
                                      zero_point(f, y_zero == nullptr ? no_node : g.operand(root, 2), y_element)};
        if (bias != no_node) operands.push_back(is_gemm ? f.constant(as_row(*g.constant(bias))) : bias);
        const node_id made =
            f.call(is_convolution ? "onnx.QLinearConv" : "onnx.QLinearMatMul", operands, is_gemm ? attribute_map() : g.attributes(product));
        return is_gemm ? shaped(made, {-1, filters}) : made;
    }

private:
    /// Whether a Gemm of two matrices only multiplies and adds.
    template <class Graph>
    [[nodiscard]] static bool is_plain_gemm(const Graph& g, node_id n) {
        const auto how = read<gemm_attributes>(g.attributes(n));
        const tensor& w = *g.constant(g.operand(g.operand(n, 1), 0));
        return !how.trans_a && how.alpha == 1 && how.beta == 1 && w.rank() == 2 && w.count() != 0;
    }
    /// A matrix of bytes as filters of one place, one for each of its rows or columns.
    [[nodiscard]] static tensor as_filters(const tensor& w, bool by_rows) {
        const std::int64_t rows = w.extents()[0], columns = w.extents()[1], filters = by_rows ? rows : columns;
        tensor made(w.element(), {filters, by_rows ? columns : rows, 1, 1});
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c) made.data()[by_rows ? r * columns + c : c * rows + r] = w.data()[r * columns + c];
        return made;
    }
    /// The same numbers of 32 bits along one axis.
    [[nodiscard]] static tensor as_row(const tensor& t) {
        const auto numbers = t.as<std::int32_t>();
        return tensor::of<std::int32_t>({static_cast<std::int64_t>(t.count())}, std::vector<std::int32_t>(numbers.begin(), numbers.end()));
    }

    /// A bias in the steps of the sums, which are those of inputs times those of weights.
    template <class Graph>
    [[nodiscard]] static node_id sums_of_bias(const Graph& g, node_id n, const tensor& x_scale, const tensor& w_scale) {
        const auto b = dequantized_of(g, n);
        if (!b || g.constant(b->steps) == nullptr || g.constant(b->steps)->element() != element_type::int32) return no_node;
        const tensor& scale = *g.constant(b->scale);
        // Both have one number for all channels, or one for each along the bias' last axis.
        const auto rank = static_cast<std::int64_t>(g.constant(b->steps)->rank());
        const std::size_t channels = std::max(scale.count(), w_scale.count());
        if (scale.count() != 1 && (scale.rank() != 1 || rank < 1 || (b->axis < 0 ? b->axis + rank : b->axis) != rank - 1)) return no_node;
        if ((scale.count() != 1 && scale.count() != channels) || (w_scale.count() != 1 && w_scale.count() != channels)) return no_node;
        for (std::size_t i = 0; i < channels; ++i) {
            const float meant = x_scale.as<float>()[0] * w_scale.as<float>()[w_scale.count() == 1 ? 0 : i];
            const float off = scale.as<float>()[scale.count() == 1 ? 0 : i] - meant;
            if (!(off < 1e-5f * meant && -off < 1e-5f * meant)) return no_node;
        }
        for (std::size_t i = 0; b->zero != no_node && i < g.constant(b->zero)->count(); ++i)
            if (whole_number_at(*g.constant(b->zero), i) != 0) return no_node;
        return b->steps;
    }
};

/// What moves or chooses numbers between a DequantizeLinear and a QuantizeLinear of the same scale and zero point does so with the steps.
/// Parts of a concatenation that have others come to those of the result one by one.
struct moved_steps {
    template <class Match, class Fragment>
    node_id operator()(const Match& m, Fragment& f) const {
        const auto& g = m.graph();
        const node_id root = m.root(), moved = m.template at<"moved">();
        if (g.type(moved).is_tuple() || !has_plain_steps<quantize_linear_attributes>(g, root)) return no_node;
        const tensor* scale = g.constant(g.operand(root, 1));
        const tensor* zero = has_operand(g, root, 2) ? g.constant(g.operand(root, 2)) : nullptr;
        if (scale == nullptr || scale->count() != 1 || (has_operand(g, root, 2) && zero == nullptr)) return no_node;
        const bool joins = g.op(moved) == "onnx.Concat";
        std::vector<node_id> operands;
        for (std::size_t i = 0; i < g.arity(moved); ++i) {
            if (i > 0 && !joins) {
                operands.push_back(g.operand(moved, i));
                continue;
            }
            const auto x = dequantized_of(g, g.operand(moved, i));
            if (!x || g.constant(x->scale)->count() != 1) return no_node;
            const std::int32_t own = x->zero == no_node ? 0 : whole_number_at(*g.constant(x->zero), 0);
            const bool is_same = g.type(x->steps).of_tensor.element == g.type(root).of_tensor.element &&
                                 g.constant(x->scale)->template as<float>()[0] == scale->as<float>()[0] &&
                                 own == (zero == nullptr ? 0 : whole_number_at(*zero, 0));
            if (!is_same && (!joins || !is_byte(g.type(x->steps).of_tensor.element))) return no_node;
            operands.push_back(is_same ? x->steps : requantized(f, g, root, g.operand(moved, i)));
        }
        return f.call(g.op(moved), operands, g.attributes(moved));
    }

private:
    /// Numbers as steps of the root's result.
    template <class Fragment, class Graph>
    [[nodiscard]] static node_id requantized(Fragment& f, const Graph& g, node_id root, node_id numbers) {
        std::vector<node_id> operands{numbers, g.operand(root, 1)};
        if (has_operand(g, root, 2)) operands.push_back(g.operand(root, 2));
        return f.call(g.op(root), operands, g.attributes(root));
    }
};

}  // namespace detail

/// Models that quantisers wrote with DequantizeLinear before and QuantizeLinear behind each operator, in operators on the steps themselves:
/// QLinearConv, QLinearMatMul, and poolings and moves of bytes. Sums are then whole numbers, and results may be one step off what the
/// float32 operators between would give. To be applied before constants are folded.
[[nodiscard]] constexpr auto quantization_rules() {
    using namespace dsl;
    constexpr auto product = as<"product">(op<"onnx.Conv", "onnx.Gemm", "onnx.MatMul">(rest));
    constexpr auto moved = as<"moved">(
        op<"onnx.MaxPool", "onnx.Reshape", "onnx.Flatten", "onnx.Transpose", "onnx.Squeeze", "onnx.Unsqueeze", "onnx.Concat">(rest));
    return rule_book(
        rule<"quantized_product", exactness::bounded>(op<"onnx.QuantizeLinear">(product, rest), detail::one_quantized_product<false>{}),
        rule<"quantized_product_relu", exactness::bounded>(op<"onnx.QuantizeLinear">(op<"onnx.Relu">(product), rest),
                                                           detail::one_quantized_product<true>{}),
        rule<"moved_steps", exactness::bounded>(op<"onnx.QuantizeLinear">(moved, rest), detail::moved_steps{}));
}

}  // namespace inlay

#endif
