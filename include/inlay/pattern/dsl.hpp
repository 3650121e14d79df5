// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_DSL_HPP
#define INLAY_PATTERN_DSL_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>

#include <inlay/pattern/concepts.hpp>

// The words patterns are written in. A pattern's `match(context, node, state, next)` looks for a match rooted at the node and calls
// `next()` for each one it finds, until one of these calls returns true ("enough"); it returns whether one did, and leaves the state
// as it was otherwise. Alternatives and operand orders thus backtrack through everything that stands after them, and all matches can be
// enumerated. A pattern prints itself in its text form.

namespace inlay {

namespace detail {

/// Whether node n calls the operator of that name on so many operands; `open`: or on more.
template <class C>
[[nodiscard]] bool calls(const C& c, node_id n, std::string_view name, std::size_t operands, bool open) {
    if (kind_of(c.graph, n) != node_kind::call || std::string_view(c.graph.op(n)) != name) return false;
    const std::size_t arity = c.graph.arity(n);
    return open ? arity >= operands : arity == operands;
}

}  // namespace detail

namespace dsl {

/// Any node.
struct any_pattern : pattern_tag {
    using binds = capture_names<>;
    [[nodiscard]] static std::string text() { return "*"; }

    template <class C, class S>
    static bool match(const C&, node_id, S&, const match_next& next) {
        return next();
    }
};

/// A call of any operator on any operands.
struct any_call_pattern : pattern_tag {
    using binds = capture_names<>;
    [[nodiscard]] static std::string text() { return "*(...)"; }

    template <class C, class S>
    static bool match(const C& c, node_id n, S& state, const match_next& next) {
        if (kind_of(c.graph, n) != node_kind::call) return false;
        state.covered.push_back(n);
        if (next()) return true;
        state.covered.pop_back();
        return false;
    }
};

/// A tensor that is known before the run.
struct constant_pattern : pattern_tag {
    using binds = capture_names<>;
    [[nodiscard]] static std::string text() { return "const"; }

    template <class C, class S>
    static bool match(const C& c, node_id n, S&, const match_next& next) {
        return kind_of(c.graph, n) == node_kind::constant && next();
    }
};

/// A parameter of the program, or a bound variable.
struct input_pattern : pattern_tag {
    using binds = capture_names<>;
    [[nodiscard]] static std::string text() { return "input"; }

    template <class C, class S>
    static bool match(const C& c, node_id n, S&, const match_next& next) {
        return kind_of(c.graph, n) == node_kind::input && next();
    }
};

/// Stands last among operands for all that remain.
struct rest_pattern : pattern_tag {
    using binds = capture_names<>;
    [[nodiscard]] static std::string text() { return "..."; }
};

inline constexpr any_pattern any{};
inline constexpr any_call_pattern any_call{};
inline constexpr constant_pattern constant{};
inline constexpr input_pattern input{};
inline constexpr rest_pattern rest{};

/// A pattern of one node.
template <class P>
concept single_pattern = pattern<P> && !std::is_same_v<P, rest_pattern>;

}  // namespace dsl

namespace detail {

/// What a word about single nodes gives of `dsl::rest`, or of what is no pattern: a sentence about each.
template <class... Ps>
[[nodiscard]] constexpr auto no_single_pattern() {
    static_assert(!(std::is_same_v<Ps, dsl::rest_pattern> || ...),
                  "inlay: dsl::rest is all operands that remain, not one node; write it by itself, last among the operands of a pattern");
    return no_pattern<Ps...>();
}

}  // namespace detail

namespace dsl {

/// A call of the operator of that name on operands that match. Without operands it takes any.
template <fixed_string Name, pattern... Operands>
struct op_pattern : pattern_tag {
    using binds = joined_names<typename Operands::binds...>;

    [[nodiscard]] static std::string text() {
        std::string s(Name.view());
        if constexpr (sizeof...(Operands) != 0) {
            s += '(';
            std::size_t i = 0;
            ((s += (i++ == 0 ? "" : ", ") + Operands::text()), ...);
            s += ')';
        }
        return s;
    }

    template <class C, class S>
    static bool match(const C& c, node_id n, S& state, const match_next& next) {
        constexpr bool open = count == 0 || rest_place() != count;
        static_assert(rest_place() + 1 >= count, "inlay: dsl::rest stands last among the operands of a pattern");
        if (!detail::calls(c, n, name, open && count != 0 ? count - 1 : count, open)) return false;
        state.covered.push_back(n);
        constexpr std::size_t first = asked(0);
        if constexpr (first == count) {
            if (next()) return true;
        } else if constexpr (asked(first + 1) == count) {
            if (std::tuple_element_t<first, std::tuple<Operands...>>::match(c, c.graph.operand(n, first), state, next)) return true;
        } else {
            const call<C, S> here{c, n, state, next};
            if (operands<first, C, S>(&here)) return true;
        }
        state.covered.pop_back();
        return false;
    }

private:
    static constexpr std::string_view name = Name.view();
    static constexpr std::size_t count = sizeof...(Operands);

    /// Which operand is the rest; `count` where none is.
    static constexpr std::size_t rest_place() {
        constexpr bool is_rest[] = {std::is_same_v<Operands, rest_pattern>..., true};
        std::size_t i = 0;
        while (!is_rest[i]) ++i;
        return i;
    }
    /// The first operand from I on that does not match whatever stands there.
    static constexpr std::size_t asked(std::size_t i) {
        constexpr bool free[] = {(std::is_same_v<Operands, any_pattern> || std::is_same_v<Operands, rest_pattern>)..., false};
        while (i < count && free[i]) ++i;
        return i;
    }

    /// A call whose operands are being matched, and what stands after it.
    template <class C, class S>
    struct call {
        const C& context;
        node_id node;
        S& state;
        const match_next& next;
    };

    /// Operand I and those behind it, then what stands after the call.
    template <std::size_t I, class C, class S>
    static bool operands(const void* self) {
        const auto& here = *static_cast<const call<C, S>*>(self);
        constexpr std::size_t then = asked(I + 1);
        using operand = std::tuple_element_t<I, std::tuple<Operands...>>;
        const node_id from = here.context.graph.operand(here.node, I);
        if constexpr (then == count)
            return operand::match(here.context, from, here.state, here.next);
        else
            return operand::match(here.context, from, here.state, match_next(&operands<then, C, S>, self));
    }
};

/// `op<"onnx.Conv">` takes any operands; `op<"onnx.Conv">(x, w, rest)` those that match.
template <fixed_string Name>
struct op_word : op_pattern<Name> {
    template <class... Operands>
    [[nodiscard]] constexpr auto operator()(Operands...) const {
        if constexpr ((pattern<Operands> && ...))
            return op_pattern<Name, Operands...>{};
        else
            return detail::no_pattern<Operands...>();
    }
};
template <fixed_string Name>
inline constexpr op_word<Name> op{};

/// A call of a binary operator, its operands in either order.
template <fixed_string Name, pattern A, pattern B>
struct commutative_pattern : pattern_tag {
    using binds = joined_names<typename A::binds, typename B::binds>;
    [[nodiscard]] static std::string text() { return op_pattern<Name, A, B>::text() + " | " + op_pattern<Name, B, A>::text(); }

    template <class C, class S>
    static bool match(const C& c, node_id n, S& state, const match_next& next) {
        return op_pattern<Name, A, B>::match(c, n, state, next) || op_pattern<Name, B, A>::match(c, n, state, next);
    }
};
template <fixed_string Name>
struct commutative_word {
    template <class A, class B>
    [[nodiscard]] constexpr auto operator()(A, B) const {
        if constexpr (single_pattern<A> && single_pattern<B>)
            return commutative_pattern<Name, A, B>{};
        else
            return detail::no_single_pattern<A, B>();
    }
};
template <fixed_string Name>
inline constexpr commutative_word<Name> commutative{};

/// What matches the pattern, bound to a name. Where the name stands again it means the same node.
template <fixed_string Name, pattern P>
struct capture_pattern : pattern_tag {
    using binds = joined_names<capture_names<Name>, typename P::binds>;
    [[nodiscard]] static std::string text() {
        if constexpr (std::is_same_v<P, any_pattern>) return "?" + std::string(Name.view());
        return "?" + std::string(Name.view()) + ":" + P::text();
    }

    template <class C, class S>
    static bool match(const C& c, node_id n, S& state, const match_next& next) {
        constexpr std::size_t place = S::names::slot(Name.view());
        node_id& slot = state.bound[place];
        if (slot == n) return P::match(c, n, state, next);
        if (slot != no_node) return false;
        slot = n;
        if (P::match(c, n, state, next)) return true;
        slot = no_node;
        return false;
    }
};
template <fixed_string Name>
struct capture_word : capture_pattern<Name, any_pattern> {
    template <class P>
    [[nodiscard]] constexpr auto operator()(P) const {
        if constexpr (single_pattern<P>)
            return capture_pattern<Name, P>{};
        else
            return detail::no_single_pattern<P>();
    }
};
/// `as<"x">` captures any node, `as<"conv">(p)` one that matches.
template <fixed_string Name>
inline constexpr capture_word<Name> as{};

/// What matches the one or the other; the first is tried first.
template <pattern A, pattern B>
struct either_pattern : pattern_tag {
    using binds = joined_names<typename A::binds, typename B::binds>;
    [[nodiscard]] static std::string text() { return A::text() + " | " + B::text(); }

    template <class C, class S>
    static bool match(const C& c, node_id n, S& state, const match_next& next) {
        return A::match(c, n, state, next) || B::match(c, n, state, next);
    }
};
template <class A, class B>
    requires(pattern<A> || pattern<B>)
[[nodiscard]] constexpr auto operator|(A, B) {
    if constexpr (single_pattern<A> && single_pattern<B>)
        return either_pattern<A, B>{};
    else
        return detail::no_single_pattern<A, B>();
}

/// A call whose only operand is the pattern, or the pattern alone; the longer match is tried first.
template <fixed_string Name, pattern P>
using optional_pattern = either_pattern<op_pattern<Name, P>, P>;
template <fixed_string Name>
struct optional_word {
    template <class P>
    [[nodiscard]] constexpr auto operator()(P) const {
        if constexpr (single_pattern<P>)
            return optional_pattern<Name, P>{};
        else
            return detail::no_single_pattern<P>();
    }
};
template <fixed_string Name>
inline constexpr optional_word<Name> optional{};

}  // namespace dsl

}  // namespace inlay

#endif
