// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_FUSED_OPERATOR_RULES_HPP
#define INLAY_PASSES_BOOKS_FUSED_OPERATOR_RULES_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <inlay/graph/broadcast_operand.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/ops/attributes/reduction_attributes.hpp>
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/term/node_guard.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

namespace detail {

/// The first of the axes that a mean is taken over, where they are the last ones of a tensor of this rank and stay as 1.
template <class Graph>
[[nodiscard]] std::optional<std::size_t> last_axes_from(const Graph& g, node_id mean, node_id axes, std::size_t rank) {
    const tensor* list = g.constant(axes);
    const auto numbers = list == nullptr ? std::nullopt : integers_of(*list);
    if (!numbers || numbers->empty() || numbers->size() > rank || !read<reduce_attributes>(g.attributes(mean)).keepdims)
        return std::nullopt;
    std::vector<char> over(rank, 0);
    for (const std::int64_t axis : *numbers) {
        const std::int64_t at = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
        if (at < 0 || at >= static_cast<std::int64_t>(rank) || over[static_cast<std::size_t>(at)] != 0) return std::nullopt;
        over[static_cast<std::size_t>(at)] = 1;
    }
    const std::size_t first = rank - numbers->size();
    for (std::size_t i = first; i < rank; ++i)
        if (over[i] == 0) return std::nullopt;
    return first;
}

/// LayerNormalization of what was normalised step by step, if both means are over the same last axes and the scale and shift are of these.
template <bool Scaled, bool Shifted>
struct one_layer_norm {
    template <class Match, class Fragment>
    node_id operator()(const Match& m, Fragment& f) const {
        const auto& g = m.graph();
        const node_type& type = m.template type<"x">();
        if (!type.is_static() || !type.is_tensor() || type.of_tensor.element != element_type::float32 || g.type(m.root()) != type)
            return no_node;
        const std::vector<std::int64_t> extents = static_shape(type.of_tensor);
        const auto first = last_axes_from(g, m.template at<"mean">(), m.template at<"axes">(), extents.size());
        if (!first || last_axes_from(g, m.template at<"variance">(), m.template at<"axes2">(), extents.size()) != first) return no_node;
        const std::optional<double> epsilon = single_number(*m.template constant<"epsilon">());
        if (!epsilon || !(*epsilon > 0)) return no_node;
        const std::vector<std::int64_t> row(extents.begin() + static_cast<std::ptrdiff_t>(*first), extents.end());
        // The constant of a name as a row of the normalised axes; `no_node` if it varies along other ones.
        const auto row_of = [&](node_id n) {
            const tensor& t = *g.constant(n);
            const axis_set normalised = axis_set::range(*first, extents.size());
            const auto beside = broadcast_operand::of(t.extents(), extents);
            if (t.element() != element_type::float32 || !beside || !beside->varies_only_along(normalised)) return no_node;
            if (beside->covers(normalised) && t.rank() == row.size()) return n;
            const std::vector<float> numbers = beside->along(normalised, t.as<float>());
            return f.constant(tensor::of<float>(row, numbers));
        };
        std::vector<node_id> operands{m.template at<"x">()};
        if constexpr (Scaled) {
            operands.push_back(row_of(m.template at<"scale">()));
        } else {
            tensor ones(element_type::float32, row);
            if (!ones.ok()) return no_node;
            for (float& e : ones.template as<float>()) e = 1;
            operands.push_back(f.constant(ones));
        }
        if constexpr (Shifted) {
            operands.push_back(row_of(m.template at<"shift">()));
        }
        for (const node_id n : operands)
            if (n == no_node) return no_node;
        attribute_map how;
        how.set(attribute_name<&layer_normalization_attributes::axis>, static_cast<std::int64_t>(*first));
        how.set(attribute_name<&layer_normalization_attributes::epsilon>, *epsilon);
        return f.call("onnx.LayerNormalization", operands, how);
    }
};

/// The half, x and what depends on it multiplied in any order.
template <class Gate>
[[nodiscard]] constexpr auto half_of_x_times(Gate gate) {
    using namespace dsl;
    constexpr auto half = literal_of([] { return 0.5; });
    return commutative<"onnx.Mul">(commutative<"onnx.Mul">(as<"x">, gate), half) |
           commutative<"onnx.Mul">(commutative<"onnx.Mul">(as<"x">, half), gate) |
           commutative<"onnx.Mul">(as<"x">, commutative<"onnx.Mul">(gate, half));
}

/// The operators are defined for all floats, and so is what they are spelled with; back ends that have them have them for float32.
struct is_float32 {
    template <class Match>
    [[nodiscard]] verdict operator()(const Match& m) const {
        const node_type& type = m.graph().type(m.root());
        if (type.is_tensor() && type.of_tensor.element == element_type::float32) return verdict::yes();
        return verdict::no("its type is " + to_string(type) + ", and not known to be float32");
    }
};

}  // namespace detail

/// What exporters write out in small operators, as the one operator that it is: LayerNormalization, Gelu (by erf and by tanh), HardSwish.
/// A back end may prefer either spelling, so these are for those who know that the operator serves them; `normalise` is told which.
[[nodiscard]] constexpr auto fused_operator_rules() {
    using namespace dsl;
    constexpr auto difference = as<"d">(op<"onnx.Sub">(as<"x">, as<"mean">(op<"onnx.ReduceMean">(as<"x">, as<"axes">(constant)))));
    constexpr auto square = op<"onnx.Pow">(as<"d">, literal<2>) | op<"onnx.Mul">(as<"d">, as<"d">);
    constexpr auto variance = as<"variance">(op<"onnx.ReduceMean">(square, as<"axes2">(constant)));
    constexpr auto normal = op<"onnx.Div">(difference, op<"onnx.Sqrt">(commutative<"onnx.Add">(variance, as<"epsilon">(constant))));
    constexpr auto with_scale = commutative<"onnx.Mul">(normal, as<"scale">(constant));

    constexpr auto root_of_two = literal_of([] { return 1.4142135623730951; });
    constexpr auto its_inverse = literal_of([] { return 0.7071067811865476; });
    constexpr auto error = op<"onnx.Erf">(op<"onnx.Div">(as<"x">, root_of_two) | commutative<"onnx.Mul">(as<"x">, its_inverse));
    constexpr auto cube = op<"onnx.Pow">(as<"x">, literal<3>) | commutative<"onnx.Mul">(as<"x">, op<"onnx.Mul">(as<"x">, as<"x">));
    constexpr auto bent = commutative<"onnx.Add">(as<"x">, commutative<"onnx.Mul">(cube, literal_of([] { return 0.044715; })));
    constexpr auto tangent = op<"onnx.Tanh">(commutative<"onnx.Mul">(bent, literal_of([] { return 0.7978845608028654; })));

    constexpr auto six = literal<6>;
    constexpr auto clipped = op<"onnx.Clip">(commutative<"onnx.Add">(as<"x">, literal<3>), literal<0>, six);
    return rule_book(rule<"layer_norm", exactness::bounded>(commutative<"onnx.Add">(with_scale, as<"shift">(constant)),
                                                            detail::one_layer_norm<true, true>{}),
                     rule<"layer_norm_without_shift", exactness::bounded>(with_scale, detail::one_layer_norm<true, false>{}),
                     rule<"layer_norm_alone", exactness::bounded>(normal, detail::one_layer_norm<false, false>{}),
                     rule<"gelu", exactness::bounded>(detail::half_of_x_times(commutative<"onnx.Add">(error, literal<1>)),
                                                      op<"onnx.Gelu">(as<"x">), detail::is_float32{}),
                     rule<"gelu_by_tanh", exactness::bounded>(detail::half_of_x_times(commutative<"onnx.Add">(tangent, literal<1>)),
                                                              attribute<"approximate", fixed_string("tanh")>(op<"onnx.Gelu">(as<"x">)),
                                                              detail::is_float32{}),
                     rule<"hard_swish", exactness::bounded>(op<"onnx.Div">(commutative<"onnx.Mul">(as<"x">, clipped), six) |
                                                                commutative<"onnx.Mul">(as<"x">, op<"onnx.Div">(clipped, six)),
                                                            op<"onnx.HardSwish">(as<"x">), detail::is_float32{}));
}

/// The operator that a rule of `fused_operator_rules` or `attention_rules` makes; empty for a name that is none of theirs.
[[nodiscard]] constexpr std::string_view operator_recognised_by(std::string_view rule) {
    if (rule.starts_with("layer_norm")) return "onnx.LayerNormalization";
    if (rule.starts_with("gelu")) return "onnx.Gelu";
    if (rule == "hard_swish") return "onnx.HardSwish";
    if (rule.starts_with("attention")) return "onnx.Attention";
    return {};
}

}  // namespace inlay

#endif
