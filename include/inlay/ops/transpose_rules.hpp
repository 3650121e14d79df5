// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_TRANSPOSE_RULES_HPP
#define INLAY_OPS_TRANSPOSE_RULES_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/pattern/dsl_guard.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

namespace detail {

/// The order of axes of a Transpose of rank `rank`: what it says, else the reverse; empty where it is no order of so many axes.
template <class Attributes>
[[nodiscard]] std::vector<std::int64_t> axis_order(const Attributes& attributes, std::size_t rank) {
    std::vector<std::int64_t> order = attributes.integers("perm");
    if (order.empty())
        for (std::size_t i = rank; i-- > 0;) order.push_back(static_cast<std::int64_t>(i));
    if (order.size() != rank) order.clear();
    std::vector<char> seen(rank, 0);
    for (const std::int64_t axis : order) {
        if (axis < 0 || static_cast<std::size_t>(axis) >= rank || seen[static_cast<std::size_t>(axis)] != 0) return {};
        seen[static_cast<std::size_t>(axis)] = 1;
    }
    return order;
}
template <class Match, fixed_string Name>
[[nodiscard]] std::vector<std::int64_t> axis_order_of(const Match& m) {
    const node_type& type = m.template type<Name>();
    if (!type.is_tensor() || !type.of_tensor.ranked) return {};
    return axis_order(m.template attributes<Name>(), type.of_tensor.rank());
}
[[nodiscard]] inline attribute_map with_axis_order(std::vector<std::int64_t> order) {
    attribute_map made;
    made.set("perm", std::move(order));
    return made;
}

/// Two orders one after the other are one; none where they undo each other.
struct join_transposes {
    template <class Match, class Fragment>
    node_id operator()(const Match& m, Fragment& f) const {
        const auto first = axis_order_of<Match, "first">(m), second = axis_order_of<Match, "second">(m);
        if (first.empty() || first.size() != second.size()) return no_node;
        std::vector<std::int64_t> both(first.size());
        bool keeps_order = true;
        for (std::size_t i = 0; i < both.size(); ++i) {
            both[i] = first[static_cast<std::size_t>(second[i])];
            keeps_order = keeps_order && both[i] == static_cast<std::int64_t>(i);
        }
        if (keeps_order) return m.template at<"x">();
        return f.call("onnx.Transpose", {m.template at<"x">()}, with_axis_order(std::move(both)));
    }
};

/// What is done to each element by itself is done before the transpose.
struct sink_below_unary {
    template <class Match, class Fragment>
    node_id operator()(const Match& m, Fragment& f) const {
        const node_id done = f.call(m.graph().op(m.root()), {m.template at<"x">()}, m.graph().attributes(m.root()));
        return f.call("onnx.Transpose", {done}, m.template attributes<"t">());
    }
};

/// Two operands in the same order are combined before it. Stretching would pair other axes, so both have one rank.
struct sink_below_binary {
    template <class Match, class Fragment>
    node_id operator()(const Match& m, Fragment& f) const {
        const auto left = axis_order_of<Match, "t">(m), right = axis_order_of<Match, "u">(m);
        if (left.empty() || left != right) return no_node;
        const node_id done = f.call(m.graph().op(m.root()), {m.template at<"x">(), m.template at<"y">()}, m.graph().attributes(m.root()));
        return f.call("onnx.Transpose", {done}, with_axis_order(left));
    }
};

/// A single number is combined with every element, in whatever order they are.
template <bool First>
struct sink_below_number {
    template <class Match, class Fragment>
    node_id operator()(const Match& m, Fragment& f) const {
        const tensor* c = m.template constant<"c">();
        const auto order = axis_order_of<Match, "t">(m);
        if (c == nullptr || c->count() != 1 || order.empty() || c->rank() > order.size()) return no_node;
        const node_id x = m.template at<"x">(), n = m.template at<"c">();
        const node_id done = First ? f.call(m.graph().op(m.root()), {n, x}, m.graph().attributes(m.root())) : f.call(m.graph().op(m.root()), {x, n}, m.graph().attributes(m.root()));
        return f.call("onnx.Transpose", {done}, with_axis_order(order));
    }
};

}  // namespace detail

/// Transposes of ONNX programs moved towards the results, past what works element by element, so that they meet and cancel. Each has one
/// reader when it moves, so that none is done twice.
[[nodiscard]] constexpr auto transpose_rules() {
    using namespace dsl;
    constexpr auto t = as<"t">(op<"onnx.Transpose">(as<"x">));
    return rule_book(
        rule<"transpose_of_transpose">(as<"second">(op<"onnx.Transpose">(as<"first">(op<"onnx.Transpose">(as<"x">)))), detail::join_transposes{}),
        rule<"transpose_below_function">(
            op<"onnx.Relu", "onnx.LeakyRelu", "onnx.Sigmoid", "onnx.HardSigmoid", "onnx.HardSwish", "onnx.Tanh", "onnx.Elu", "onnx.Gelu", "onnx.Erf", "onnx.Exp", "onnx.Log",
               "onnx.Sqrt", "onnx.Abs", "onnx.Neg", "onnx.Reciprocal", "onnx.Floor", "onnx.Ceil", "onnx.Round", "onnx.Softplus", "onnx.Softsign", "onnx.Mish">(t),
            detail::sink_below_unary{}),
        rule<"transpose_below_pair">(op<"onnx.Add", "onnx.Sub", "onnx.Mul", "onnx.Div">(t, as<"u">(op<"onnx.Transpose">(as<"y">))), detail::sink_below_binary{}),
        rule<"transpose_below_number">(op<"onnx.Add", "onnx.Sub", "onnx.Mul", "onnx.Div", "onnx.Pow">(t, as<"c">(constant)), detail::sink_below_number<false>{}),
        rule<"transpose_below_left_number">(op<"onnx.Add", "onnx.Sub", "onnx.Mul", "onnx.Div">(as<"c">(constant), t), detail::sink_below_number<true>{}));
}

}  // namespace inlay

#endif
