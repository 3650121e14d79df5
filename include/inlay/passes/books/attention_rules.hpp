// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_ATTENTION_RULES_HPP
#define INLAY_PASSES_BOOKS_ATTENTION_RULES_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <inlay/graph/tensor.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/passes/books/transpose_rules.hpp>
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/term/node_guard.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

namespace detail {

/// What scores become where a mask drops them is at most this, unless it is minus infinity: their weight is then 0 in float32, if no score
/// that is kept comes near it.
inline constexpr double dropped_score = -1e4;

/// Whether every row of a mask, along its last axis, keeps an entry.
[[nodiscard]] inline bool keeps_in_every_row(const tensor& mask, bool kept) {
    if (mask.element() != element_type::boolean) return false;
    const std::size_t length = mask.rank() == 0 ? 1 : static_cast<std::size_t>(mask.extents().back());
    if (length == 0) return false;
    const auto entries = mask.as<bool>();
    for (std::size_t row = 0; row < entries.size(); row += length) {
        bool any = false;
        for (std::size_t i = 0; i < length; ++i) any = any || entries[row + i] == kept;
        if (!any) return false;
    }
    return true;
}

/// Attention of what was multiplied, scaled, masked, normalised and multiplied again, where all scales are numbers.
struct one_attention {
    template <class Match, class Fragment>
    node_id operator()(const Match& m, Fragment& f) const {
        const auto& g = m.graph();
        const node_type &query = m.template type<"q">(), &softmax = m.template type<"weights">();
        if (!query.is_tensor() || query.of_tensor.element != element_type::float32 || !query.of_tensor.ranked) return no_node;
        const std::size_t rank = query.of_tensor.rank();
        if (rank != 3 && rank != 4) return no_node;
        if (!softmax.is_tensor() || !softmax.of_tensor.ranked || softmax.of_tensor.rank() != rank) return no_node;
        const std::int64_t axis = read<softmax_attributes>(m.template attributes<"weights">()).axis;
        if (axis != -1 && axis != static_cast<std::int64_t>(rank) - 1) return no_node;

        double scale = 1;
        if (!take_factor<"q_step", "q_factor">(m, scale) || !take_factor<"k_step", "k_factor">(m, scale) ||
            !take_factor<"k_inner_step", "k_inner_factor">(m, scale) || !take_factor<"step", "factor">(m, scale))
            return no_node;
        if (!std::isfinite(scale) || scale == 0) return no_node;

        std::vector<std::int64_t> order = axis_order_of<Match, "turned">(m);
        if (order.size() != rank) return no_node;
        std::swap(order[rank - 1], order[rank - 2]);
        bool in_order = true;
        for (std::size_t i = 0; i < rank; ++i) in_order = in_order && order[i] == static_cast<std::int64_t>(i);
        node_id keys = m.template at<"k">();
        if (!in_order) keys = f.call("onnx.Transpose", {keys}, with_axis_order(std::move(order)));

        std::vector<node_id> operands{m.template at<"q">(), keys, m.template at<"v">()};
        if (const node_id kept = m.template at<"kept">(), hidden = m.template at<"hidden">(); kept != no_node || hidden != no_node) {
            const node_id mask = boolean_mask(m, f, kept != no_node ? kept : hidden, kept != no_node);
            if (mask == no_node) return no_node;
            operands.push_back(mask);
        } else if (m.template at<"added">() != no_node) {
            operands.push_back(m.template at<"added">());
        }
        // The operator reads a mask as one of four axes; behind three, the batch would stand where it has the heads.
        if (rank == 3 && operands.size() == 4)
            if (const node_type& mask = g.type(operands[3]); !mask.is_tensor() || !mask.of_tensor.ranked || mask.of_tensor.rank() > 2)
                return no_node;
        attribute_map how;
        how.set(attribute_name<&attention_attributes::scale>, scale);
        if (rank == 3) {
            how.set(attribute_name<&attention_attributes::kv_num_heads>, std::int64_t{1});
            how.set(attribute_name<&attention_attributes::q_num_heads>, std::int64_t{1});
        }
        return f.call("onnx.Attention", operands, how);
    }

private:
    /// Takes up a factor or a divisor on the way, where there is one; false where it is more than a number.
    template <fixed_string Step, fixed_string Number, class Match>
    static bool take_factor(const Match& m, double& scale) {
        const node_id step = m.template at<Step>();
        if (step == no_node) return true;
        const std::optional<double> number = single_number(*m.template constant<Number>());
        if (!number ||
            m.graph().type(step) != m.graph().type(m.graph().operand(step, m.graph().operand(step, 0) == m.template at<Number>() ? 1 : 0)))
            return false;
        scale = m.graph().op(step) == "onnx.Div" ? scale / *number : scale * *number;
        return true;
    }

    /// The mask of a Where, and of what is added behind it. A row that keeps nothing has equal weights where the number is finite, and none
    /// in the operator; so that must be known not to be.
    template <class Match, class Fragment>
    static node_id boolean_mask(const Match& m, Fragment& f, node_id condition, bool kept) {
        const std::optional<double> number = single_number(*m.template constant<"dropped">());
        if (!number || !(*number <= dropped_score)) return no_node;
        const tensor* known = m.graph().constant(condition);
        if (std::isfinite(*number) && (known == nullptr || !keeps_in_every_row(*known, kept))) return no_node;
        if (m.template at<"added">() == no_node) return kept ? condition : f.call("onnx.Not", {condition});
        const node_id added = m.template at<"added">(), nothing = f.constant(tensor::scalar(-std::numeric_limits<float>::infinity()));
        return kept ? f.call("onnx.Where", {condition, added, nothing}) : f.call("onnx.Where", {condition, nothing, added});
    }
};

/// A tensor whose last axis holds the heads side by side, cut into heads: the four axes batch, row, head, size of a head.
template <class Match, fixed_string Whole, fixed_string Cut>
[[nodiscard]] bool cuts_heads(const Match& m) {
    const node_type &whole = m.template type<Whole>(), &cut = m.template type<Cut>();
    if (!whole.is_tensor() || !cut.is_tensor() || !whole.is_static() || !cut.is_static()) return false;
    const std::vector<std::int64_t> a = static_shape(whole.of_tensor), b = static_shape(cut.of_tensor);
    return a.size() == 3 && b.size() == 4 && a[0] == b[0] && a[1] == b[1] && a[2] == b[2] * b[3];
}

/// Attention that cuts the heads itself, where reshapes and transposes around it did.
struct attention_with_heads {
    template <class Match, class Fragment>
    node_id operator()(const Match& m, Fragment& f) const {
        const auto& g = m.graph();
        const node_id inner = m.template at<"attention">();
        if (!cuts_heads<Match, "q", "q_cut">(m) || !cuts_heads<Match, "k", "k_cut">(m) || !cuts_heads<Match, "v", "v_cut">(m))
            return no_node;
        std::vector<node_id> operands{m.template at<"q">(), m.template at<"k">(), m.template at<"v">()};
        for (std::size_t i = 3; i < g.arity(inner); ++i) operands.push_back(g.operand(inner, i));
        attribute_map how = g.attributes(inner);
        how.set(attribute_name<&attention_attributes::q_num_heads>, g.type(m.template at<"q_cut">()).of_tensor.extents[2].size);
        how.set(attribute_name<&attention_attributes::kv_num_heads>, g.type(m.template at<"k_cut">()).of_tensor.extents[2].size);
        return f.call("onnx.Attention", operands, how);
    }
};

/// What a pattern matches, or that times or over a number.
template <fixed_string Step, fixed_string Number, pattern P>
[[nodiscard]] constexpr auto maybe_scaled(P p) {
    using namespace dsl;
    return as<Step>(op<"onnx.Div">(p, as<Number>(constant)) | commutative<"onnx.Mul">(p, as<Number>(constant))) | p;
}

}  // namespace detail

/// Attention as exporters write it out: softmax(q k^T) v with the scale on the query, on the key before or after it is transposed, or on
/// the product; a mask that is added, one that chooses, or both; the heads cut and joined by reshapes and transposes around. A key that is
/// not transposed, a scale that is no number, and rows that may be masked as a whole stay as they are.
[[nodiscard]] constexpr auto attention_rules() {
    using namespace dsl;
    using detail::maybe_scaled;
    constexpr auto query = maybe_scaled<"q_step", "q_factor">(as<"q">);
    constexpr auto key =
        maybe_scaled<"k_step", "k_factor">(as<"turned">(op<"onnx.Transpose">(maybe_scaled<"k_inner_step", "k_inner_factor">(as<"k">))));
    constexpr auto scores = maybe_scaled<"step", "factor">(op<"onnx.MatMul">(query, key));
    constexpr auto chosen = op<"onnx.Where">(as<"kept">, scores, as<"dropped">(constant)) |
                            op<"onnx.Where">(as<"hidden">, as<"dropped">(constant), scores) | scores;
    constexpr auto masked = commutative<"onnx.Add">(chosen, as<"added">) | chosen;

    constexpr auto heads_first = [](auto p) { return attribute<"perm", ints<0, 2, 1, 3>{}>(op<"onnx.Transpose">(p)); };
    constexpr auto attention = as<"attention">(op<"onnx.Attention">(heads_first(as<"q_cut">(op<"onnx.Reshape">(as<"q">, any))),
                                                                    heads_first(as<"k_cut">(op<"onnx.Reshape">(as<"k">, any))),
                                                                    heads_first(as<"v_cut">(op<"onnx.Reshape">(as<"v">, any))), rest));
    return rule_book(
        rule<"attention", exactness::bounded>(op<"onnx.MatMul">(as<"weights">(op<"onnx.Softmax">(masked)), as<"v">),
                                              detail::one_attention{}),
        rule<"attention_of_rows", exactness::exact>(op<"onnx.Reshape">(heads_first(attention), any), detail::attention_with_heads{}));
}

}  // namespace inlay

#endif
