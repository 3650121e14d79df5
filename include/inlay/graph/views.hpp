// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_VIEWS_HPP
#define INLAY_GRAPH_VIEWS_HPP

#include <concepts>
#include <cstddef>
#include <string_view>
#include <utility>

#include <range/v3/view/filter.hpp>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/reverse.hpp>
#include <range/v3/view/subrange.hpp>
#include <range/v3/view/transform.hpp>

#include <inlay/graph/users.hpp>

// A graph as ranges of node numbers, to be composed with those of range-v3. Every view is lazy, allocates nothing and refers to the
// graph, which must outlive it; a graph that is a temporary is refused.

namespace inlay {

/// All nodes, operands before users: their numbers are a topological order. Random access.
template <graph G>
[[nodiscard]] auto nodes(const G& g) {
    return ranges::views::iota(node_id{0}, static_cast<node_id>(g.size()));
}
template <graph G>
void nodes(const G&&) = delete;

/// All nodes in topological order; what `nodes` gives, under the name of what one relies on.
template <graph G>
[[nodiscard]] auto topological(const G& g) {
    return nodes(g);
}
template <graph G>
void topological(const G&&) = delete;

/// All nodes, users before operands.
template <graph G>
[[nodiscard]] auto reverse_topological(const G& g) {
    return nodes(g) | ranges::views::reverse;
}
template <graph G>
void reverse_topological(const G&&) = delete;

/// The nodes of one kind, in topological order.
template <graph G>
[[nodiscard]] auto nodes_of_kind(const G& g, node_kind kind) {
    return nodes(g) | ranges::views::filter([&g, kind](node_id n) { return kind_of(g, n) == kind; });
}
template <graph G>
void nodes_of_kind(const G&&, node_kind) = delete;

/// The calls, in topological order.
template <graph G>
[[nodiscard]] auto calls(const G& g) {
    return nodes_of_kind(g, node_kind::call);
}
template <graph G>
void calls(const G&&) = delete;

/// The calls of one operator, in topological order: `nodes_of_op(g, "onnx.Conv")`. The view keeps a copy of what names the operator.
/// Operators that are text are compared as text.
template <graph G, std::copyable Op>
[[nodiscard]] auto nodes_of_op(const G& g, Op op) {
    return nodes(g) | ranges::views::filter([&g, op = std::move(op)](node_id n) {
               if (kind_of(g, n) != node_kind::call) return false;
               if constexpr (std::convertible_to<decltype(g.op(n)), std::string_view> && std::convertible_to<const Op&, std::string_view>)
                   return std::string_view(g.op(n)) == std::string_view(op);
               else
                   return g.op(n) == op;
           });
}
template <graph G, std::copyable Op>
void nodes_of_op(const G&&, Op) = delete;

/// The operands of node n in order, as often as it reads them. Random access.
template <graph G>
[[nodiscard]] auto operands(const G& g, node_id n) {
    return ranges::views::iota(std::size_t{0}, static_cast<std::size_t>(g.arity(n))) |
           ranges::views::transform([&g, n](std::size_t i) { return static_cast<node_id>(g.operand(n, i)); });
}
template <graph G>
void operands(const G&&, node_id) = delete;

/// The users of node n in ascending order, each once. Contiguous; refers to the lists.
[[nodiscard]] inline auto users(const user_lists& lists, node_id n) {
    const auto span = lists[n];
    return ranges::make_subrange(span.data(), span.data() + span.size());
}
void users(const user_lists&&, node_id) = delete;

}  // namespace inlay

#endif
