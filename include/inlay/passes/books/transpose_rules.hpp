// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_TRANSPOSE_RULES_HPP
#define INLAY_PASSES_BOOKS_TRANSPOSE_RULES_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/graph/tensor.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/loops/strided_copy.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

namespace detail {

/// The order of axes of a Transpose of rank `rank`: what it says, else the reverse; empty where it is no order of so many axes.
template <class Attributes>
[[nodiscard]] std::vector<std::int64_t> axis_order(const Attributes& attributes, std::size_t rank) {
    const auto stated = read<transpose_attributes>(attributes).perm;
    std::vector<std::int64_t> order;
    if (stated) order.assign(stated->begin(), stated->end());
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
    made.set(attribute_name<&transpose_attributes::perm>, std::move(order));
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

/// Operators that work on each element of their first operand by itself; further operands are single numbers.
using functions_of_elements =
    name_list<"onnx.Relu", "onnx.LeakyRelu", "onnx.Sigmoid", "onnx.HardSigmoid", "onnx.HardSwish", "onnx.Tanh", "onnx.Elu", "onnx.Selu",
              "onnx.Gelu", "onnx.Erf", "onnx.Exp", "onnx.Log", "onnx.Sqrt", "onnx.Abs", "onnx.Neg", "onnx.Reciprocal", "onnx.Floor",
              "onnx.Ceil", "onnx.Round", "onnx.Softplus", "onnx.Softsign", "onnx.Mish", "onnx.Clip", "onnx.Cast", "onnx.Not">;
/// Operators that combine two tensors element by element.
using pairs_of_elements = name_list<"onnx.Add", "onnx.Sub", "onnx.Mul", "onnx.Div">;

template <class Names>
[[nodiscard]] bool is_one_of(std::string_view op) {
    for (const std::string_view name : Names::names)
        if (op == name) return true;
    return false;
}

/// Whether operand i of a call is a constant that its other operand, of this rank, is combined with element by element.
template <class Graph>
[[nodiscard]] bool is_constant_beside(const Graph& g, node_id call, std::size_t i, std::size_t rank) {
    const tensor* c = g.constant(g.operand(call, i));
    return c != nullptr && c->rank() <= rank;
}

/// What a constant has to be so that a Transpose of this order makes it what it is, as it is stretched beside a tensor of that rank.
/// Nothing where there is no memory for it. Precondition: its rank is not above.
[[nodiscard]] inline std::optional<tensor> before_transpose(const tensor& c, const std::vector<std::int64_t>& order) {
    std::vector<std::int64_t> whole(order.size() - c.rank(), 1), extents(order.size()), steps(order.size());
    whole.insert(whole.end(), c.extents().begin(), c.extents().end());
    const std::vector<std::int64_t> strides = row_major_strides(whole);
    for (std::size_t i = 0; i < order.size(); ++i) {
        extents[static_cast<std::size_t>(order[i])] = whole[i];
        steps[static_cast<std::size_t>(order[i])] = strides[i];
    }
    tensor made(c.element(), extents);
    if (!made.ok()) return std::nullopt;
    copy_strided(c, 0, steps, made);
    return made;
}

/// Which operand of a call a transpose would pass it by, where it works on that one element by element: the other is a constant.
template <class Graph>
[[nodiscard]] std::optional<std::size_t> passed_operand(const Graph& g, node_id call, std::size_t rank) {
    if (g.kind(call) != node_kind::call || g.arity(call) == 0) return std::nullopt;
    if (is_one_of<functions_of_elements>(g.op(call))) return 0;
    if (g.arity(call) != 2) return std::nullopt;
    if (!is_one_of<pairs_of_elements>(g.op(call)) && g.op(call) != "onnx.Pow") return std::nullopt;
    if (is_constant_beside(g, call, 1, rank)) return 0;
    if (g.op(call) != "onnx.Pow" && is_constant_beside(g, call, 0, rank)) return 1;
    return std::nullopt;
}

/// Whether a node is a transpose of this order, or what works element by element on one, each read once.
template <class Graph>
[[nodiscard]] bool comes_from_transpose(const Graph& g, node_id n, const std::vector<std::int64_t>& order) {
    while (g.kind(n) == node_kind::call && g.users().is_read_once(n)) {
        if (g.op(n) == "onnx.Transpose") return axis_order(g.attributes(n), order.size()) == order;
        const auto through = passed_operand(g, n, order.size());
        if (!through) return false;
        n = g.operand(n, *through);
    }
    return false;
}

/// Where a transpose moves towards the results: wherever it can.
struct anywhere_below {
    template <class Graph>
    [[nodiscard]] bool operator()(const Graph&, node_id, const std::vector<std::int64_t>&) const {
        return true;
    }
};

/// Where a transpose moves towards the results: only where it meets another one there, with which it becomes one or none. Below what works
/// element by element it costs what it cost above, so that moving it alone brings nothing and may take it away from a product that reads
/// its operand in any order. O(calls on the way).
struct towards_another {
    template <class Graph>
    [[nodiscard]] bool operator()(const Graph& g, node_id n, const std::vector<std::int64_t>& order) const {
        while (g.users().is_read_once(n)) {
            const node_id reader = *g.users()[n].begin();
            if (g.op(reader) == "onnx.Transpose") return true;
            if (const auto through = passed_operand(g, reader, order.size()); through && g.operand(reader, *through) == n) {
                n = reader;
                continue;
            }
            if (!is_one_of<pairs_of_elements>(g.op(reader)) || g.arity(reader) != 2) return false;
            return comes_from_transpose(g, g.operand(reader, g.operand(reader, 0) == n ? 1 : 0), order);
        }
        return false;
    }
};

/// What is done to each element by itself is done before the transpose.
template <class Where>
struct sink_below_function {
    template <class Match, class Fragment>
    node_id operator()(const Match& m, Fragment& f) const {
        const auto& g = m.graph();
        const auto order = axis_order_of<Match, "t">(m);
        if (order.empty() || !Where{}(g, m.root(), order)) return no_node;
        std::vector<node_id> operands{m.template at<"x">()};
        for (std::size_t i = 1; i < g.arity(m.root()); ++i) operands.push_back(g.operand(m.root(), i));
        const node_id done = f.call(g.op(m.root()), operands, g.attributes(m.root()));
        return f.call("onnx.Transpose", {done}, with_axis_order(order));
    }
};

/// Two operands in the same order are combined before it. Stretching would pair other axes, so both have one rank.
struct sink_below_pair {
    template <class Match, class Fragment>
    node_id operator()(const Match& m, Fragment& f) const {
        const auto left = axis_order_of<Match, "t">(m), right = axis_order_of<Match, "u">(m);
        if (left.empty() || left != right) return no_node;
        const node_id done = f.call(m.graph().op(m.root()), {m.template at<"x">(), m.template at<"y">()}, m.graph().attributes(m.root()));
        return f.call("onnx.Transpose", {done}, with_axis_order(left));
    }
};

/// A constant is brought into the order of what stood before the transpose; a single number is beside every element in whatever order.
template <bool First, class Where>
struct sink_below_constant {
    template <class Match, class Fragment>
    node_id operator()(const Match& m, Fragment& f) const {
        const auto& g = m.graph();
        const auto order = axis_order_of<Match, "t">(m);
        if (order.empty() || !is_constant_beside(g, m.root(), First ? 0 : 1, order.size()) || !Where{}(g, m.root(), order)) return no_node;
        const node_id x = m.template at<"x">();
        node_id n = m.template at<"c">();
        const tensor& c = *m.template constant<"c">();
        if (c.count() != 1) {
            const auto turned = before_transpose(c, order);
            if (!turned) return no_node;
            n = f.constant(*turned);
        }
        const node_id done =
            First ? f.call(g.op(m.root()), {n, x}, g.attributes(m.root())) : f.call(g.op(m.root()), {x, n}, g.attributes(m.root()));
        return f.call("onnx.Transpose", {done}, with_axis_order(order));
    }
};

template <class Where>
[[nodiscard]] constexpr auto transposes_moved(Where) {
    using namespace dsl;
    constexpr auto t = as<"t">(op<"onnx.Transpose">(as<"x">));
    // A transpose that others read too stays for them; what it does is not done twice.
    return rule_book(
        rule<"transpose_of_transpose", overlap::duplicate, exactness::exact>(
            as<"second">(op<"onnx.Transpose">(as<"first">(op<"onnx.Transpose">(as<"x">)))), join_transposes{}),
        rule<"transpose_below_function", exactness::exact>(
            call_pattern<functions_of_elements, std::remove_cv_t<decltype(t)>, rest_pattern>{}, sink_below_function<Where>{}),
        rule<"transpose_below_pair", exactness::exact>(
            op<"onnx.Add", "onnx.Sub", "onnx.Mul", "onnx.Div">(t, as<"u">(op<"onnx.Transpose">(as<"y">))), sink_below_pair{}),
        rule<"transpose_below_constant", exactness::exact>(
            op<"onnx.Add", "onnx.Sub", "onnx.Mul", "onnx.Div", "onnx.Pow">(t, as<"c">(constant)), sink_below_constant<false, Where>{}),
        rule<"transpose_below_left_constant", exactness::exact>(op<"onnx.Add", "onnx.Sub", "onnx.Mul", "onnx.Div">(as<"c">(constant), t),
                                                                sink_below_constant<true, Where>{}));
}

}  // namespace detail

/// Transposes of ONNX programs moved towards the results, past what works element by element, so that they meet and cancel. Each has one
/// reader when it moves, so that none is done twice.
[[nodiscard]] constexpr auto transpose_rules() { return detail::transposes_moved(detail::anywhere_below{}); }

/// The same, moved only where they meet: no application leaves more transposes than there were, and each move is one step towards fewer.
[[nodiscard]] constexpr auto meeting_transpose_rules() { return detail::transposes_moved(detail::towards_another{}); }

}  // namespace inlay

#endif
