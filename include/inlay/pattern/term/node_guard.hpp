// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TERM_NODE_GUARD_HPP
#define INLAY_PATTERN_TERM_NODE_GUARD_HPP

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <inlay/core/in_force.hpp>
#include <inlay/pattern/term/pattern_term.hpp>

// What a term asks of a node itself, its operands aside. A graph that does not know what is asked for has no such node.

namespace inlay {

/// The word that names a node where names are asked for: a call's operator, a parameter's name, a symbol; empty where it has none.
template <graph G>
[[nodiscard]] std::string_view name_asked_for(const G& g, node_id n, node_kind kind) {
    if (kind == node_kind::call) {
        if constexpr (requires {
                          { g.op(n) } -> std::convertible_to<std::string_view>;
                      })
            return g.op(n);
    } else if (kind == node_kind::input) {
        if constexpr (requires {
                          { g.name(n) } -> std::convertible_to<std::string_view>;
                      })
            return g.name(n);
    } else {
        if constexpr (functional_graph<G>) return g.symbol(n);
    }
    return {};
}

/// Whether node n is a call of one of these operators; of any where none is named.
template <graph G>
[[nodiscard]] bool is_call_of(std::span<const std::string_view> names, const G& g, node_id n) {
    if (kind_of(g, n) != node_kind::call) return false;
    if (names.empty()) return true;
    const std::string_view op = name_asked_for(g, n, node_kind::call);
    for (const std::string_view name : names)
        if (name == op) return true;
    return false;
}

/// Whether node n is of the kind, bears a name and has the number of operands that a term of kind `node` asks for.
template <graph G>
[[nodiscard]] bool node_accepted(const pattern_term& t, const G& g, node_id n) {
    if (kind_of(g, n) != t.node || (!in_force<"pattern.nodes.every-kind">() && t.node == node_kind::function)) return false;
    const std::size_t arity = g.arity(n);
    if (t.open || !in_force<"pattern.call.arity">() ? arity < t.count : arity != t.count) return false;
    if (t.node == node_kind::projection && t.place != pattern_term::unbounded) {
        if constexpr (functional_graph<G>) {
            if (in_force<"pattern.tuple.fields">() && g.field(n) != t.place) return false;
        } else {
            return false;
        }
    }
    if (t.names.empty()) return true;
    const std::string_view found = name_asked_for(g, n, t.node);
    for (const std::string_view name : t.names)
        if (name == found) return true;
    return false;
}

/// The one element of a tensor as a number; nothing where it has several, or an element type that is no number here.
[[nodiscard]] inline std::optional<double> single_number(const tensor& t) {
    if (!t.ok() || t.count() != 1) return std::nullopt;
    const auto first = [&]<class T>(T) { return static_cast<double>(t.as<T>()[0]); };
    switch (t.element()) {
        case element_type::float32:
            return first(float{});
        case element_type::float64:
            return first(double{});
        case element_type::int8:
            return first(std::int8_t{});
        case element_type::int16:
            return first(std::int16_t{});
        case element_type::int32:
            return first(std::int32_t{});
        case element_type::int64:
            return first(std::int64_t{});
        case element_type::uint8:
            return first(std::uint8_t{});
        case element_type::uint16:
            return first(std::uint16_t{});
        case element_type::uint32:
            return first(std::uint32_t{});
        case element_type::uint64:
            return first(std::uint64_t{});
        case element_type::boolean:
            return t.as<bool>()[0] ? 1 : 0;
        default:
            return std::nullopt;
    }
}

/// Whether node n is the constant that a term of kind `literal` or `value` asks for.
template <graph G>
[[nodiscard]] bool is_constant(const pattern_term& t, const G& g, node_id n) {
    if constexpr (attributed_graph<G>) {
        if (kind_of(g, n) != node_kind::constant) return false;
        const tensor* found = g.constant(n);
        if (found == nullptr) return false;
        if (!in_force<"pattern.constants.by-value">()) return true;
        if (t.kind == term_kind::value) return found->content() == t.content;
        const std::optional<double> number = single_number(*found);
        return number && same_number(t.number, *number);
    } else {
        return false;
    }
}

template <graph G>
[[nodiscard]] bool attributes_accepted(const pattern_term& t, const G& g, node_id n) {
    if constexpr (attributed_graph<G>) {
        if (!in_force<"pattern.attributes.of-functions">() && kind_of(g, n) != node_kind::call) return false;
        const attribute_map& found = g.attributes(n);
        for (const attribute_guard& guard : t.guards)
            if (!accepts(guard, found.find(guard.name))) return false;
        return true;
    } else {
        return false;
    }
}

template <graph G>
[[nodiscard]] bool type_accepted(const pattern_term& t, const G& g, node_id n) {
    if constexpr (typed_graph<G>)
        return accepts(*t.type, static_cast<const node_type&>(g.type(n)));
    else
        return false;
}

}  // namespace inlay

#endif
