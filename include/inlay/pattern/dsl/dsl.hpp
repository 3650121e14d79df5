// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_DSL_DSL_HPP
#define INLAY_PATTERN_DSL_DSL_HPP

#include <array>
#include <cstddef>
#include <string_view>

#include <inlay/pattern/dsl/concepts.hpp>

// The words of patterns in C++. Each word returns an empty type that writes itself as terms; `term_kind` gives the meaning of terms. The
// words for attributes and types are in dsl_guard.hpp, for tuples, functions and branches in dsl_node.hpp, for repetition, recursion and
// dominators in dsl_repeat.hpp, for operators that a back end treats alike in call_on.hpp.

namespace inlay {

namespace dsl {

/// Any node.
struct any_pattern : pattern_tag {
    using binds = capture_names<>;
    static constexpr term_counts counts{1, 0};
    static constexpr term_id write(term_writer& w) { return w.add({}); }
};

}  // namespace dsl

namespace detail {

/// A node of a kind, whatever its operands.
template <node_kind Kind, bool Open>
struct leaf_pattern : pattern_tag {
    using binds = capture_names<>;
    static constexpr term_counts counts{1, 0};
    static constexpr term_id write(term_writer& w) {
        pattern_term t;
        t.kind = term_kind::node;
        t.node = Kind;
        t.open = Open;
        return w.add(t);
    }
};

}  // namespace detail

namespace dsl {

/// A call of any operator on any operands.
struct any_call_pattern : detail::leaf_pattern<node_kind::call, true> {};
/// A tensor that is known before the run.
struct constant_pattern : detail::leaf_pattern<node_kind::constant, false> {};
/// A parameter of the program, or a bound variable.
struct input_pattern : detail::leaf_pattern<node_kind::input, false> {};

/// Stands last among operands for all that remain.
struct rest_pattern : pattern_tag {
    using binds = capture_names<>;
    static constexpr term_counts counts{};
    static constexpr term_id write(term_writer&) { return no_term; }
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

/// What a word is that takes a pattern of one node: `Word::of<P>` is what it gives.
template <class Word>
struct single_word {
    template <class P>
    [[nodiscard]] constexpr auto operator()(P) const {
        if constexpr (dsl::single_pattern<P>)
            return typename Word::template of<P>{};
        else
            return no_single_pattern<P>();
    }
};

/// The names of an operator term; they live for ever.
template <fixed_string... Names>
struct name_list {
    static constexpr std::array<std::string_view, sizeof...(Names)> names{Names.view()...};
};

/// Which operand is the rest; their number where none is.
template <class... Operands>
[[nodiscard]] constexpr std::size_t rest_place() {
    constexpr bool is_rest[] = {std::is_same_v<Operands, dsl::rest_pattern>..., true};
    std::size_t i = 0;
    while (!is_rest[i]) ++i;
    return i;
}

/// Writes a term of a node whose operands match patterns; `dsl::rest` among them opens it.
template <class... Operands>
constexpr term_id write_node(term_writer& w, pattern_term t) {
    constexpr std::size_t count = sizeof...(Operands), place = rest_place<Operands...>();
    static_assert(place + 1 >= count, "inlay: dsl::rest stands last among the operands of a pattern");
    const term_id children[count + 1] = {Operands::write(w)..., no_term};
    t.kind = term_kind::node;
    t.open = t.open || place != count;
    return w.add(t, children, place);
}

/// A word's pattern over others that it is written with.
template <class... Children>
struct term_over : pattern_tag {
    using binds = ::inlay::joined_names<typename Children::binds...>;
    static constexpr term_counts counts = (term_counts{1, sizeof...(Children)} + ... + Children::counts);
};

}  // namespace detail

namespace dsl {

/// A call of one of these operators on operands that match. `rest` last: on further ones as well.
template <class Names, pattern... Operands>
struct call_pattern : detail::term_over<Operands...> {
    static constexpr term_id write(term_writer& w) {
        pattern_term t;
        t.names = Names::names;
        return detail::write_node<Operands...>(w, t);
    }
};

/// A call of one of these operators on any operands.
template <class Names>
struct any_operands_pattern : detail::term_over<> {
    static constexpr term_id write(term_writer& w) {
        pattern_term t;
        t.names = Names::names;
        t.open = true;
        return detail::write_node<>(w, t);
    }
};

/// `op<"onnx.Conv">` takes any operands; `op<"onnx.Conv">(x, w, rest)` those that match. `op<"onnx.Relu", "onnx.Tanh">(x)` is a call of
/// either.
template <fixed_string... Names>
struct op_word : any_operands_pattern<detail::name_list<Names...>> {
    template <class... Operands>
    [[nodiscard]] constexpr auto operator()(Operands...) const {
        if constexpr ((pattern<Operands> && ...))
            return call_pattern<detail::name_list<Names...>, Operands...>{};
        else
            return detail::no_pattern<Operands...>();
    }
};
template <fixed_string... Names>
inline constexpr op_word<Names...> op{};

/// A call whose operand patterns match an operand each, in any order; `Places` operands from the first are looked at.
template <class Names, std::uint32_t Places, pattern... Operands>
struct unordered_pattern : detail::term_over<Operands...> {
    static constexpr term_id write(term_writer& w) {
        pattern_term t;
        t.names = Names::names;
        t.unordered = true;
        t.most = Places;
        return detail::write_node<Operands...>(w, t);
    }
};
/// A call of an operator that does not care for the order of its operands: `commutative<"onnx.Add">(a, b)`, `commutative<"onnx.Sum">(a,
/// rest)`.
template <fixed_string... Names>
struct commutative_word {
    template <class... Operands>
    [[nodiscard]] constexpr auto operator()(Operands...) const {
        if constexpr ((pattern<Operands> && ...))
            return unordered_pattern<detail::name_list<Names...>, pattern_term::unbounded, Operands...>{};
        else
            return detail::no_pattern<Operands...>();
    }
};
template <fixed_string... Names>
inline constexpr commutative_word<Names...> commutative{};

/// What matches the pattern, bound to a name. Where the name stands again it means the same node.
template <fixed_string Name, pattern P>
struct capture_pattern : detail::term_over<P> {
    using binds = joined_names<capture_names<Name>, typename P::binds>;
    static constexpr term_id write(term_writer& w) {
        pattern_term t;
        t.kind = term_kind::capture;
        t.name = Name.view();
        t.place = w.slot(t.name);
        return w.add(t, {P::write(w)});
    }
};
template <fixed_string Name>
struct capture_word : capture_pattern<Name, any_pattern>, detail::single_word<capture_word<Name>> {
    template <class P>
    using of = capture_pattern<Name, P>;
};
/// `as<"x">` captures any node, `as<"conv">(p)` one that matches.
template <fixed_string Name>
inline constexpr capture_word<Name> as{};

}  // namespace dsl

namespace detail {

/// A term of one kind over patterns of the same node.
template <term_kind Kind, pattern... Children>
struct same_node_pattern : term_over<Children...> {
    static constexpr term_id write(term_writer& w) {
        pattern_term t;
        t.kind = Kind;
        return w.add(t, {Children::write(w)...});
    }
};

}  // namespace detail

namespace dsl {

/// What matches the one or the other; the first is tried first.
template <pattern A, pattern B>
using either_pattern = detail::same_node_pattern<term_kind::either, A, B>;
template <class A, class B>
requires(pattern<A> || pattern<B>) [[nodiscard]] constexpr auto operator|(A, B) {
    if constexpr (single_pattern<A> && single_pattern<B>)
        return either_pattern<A, B>{};
    else
        return detail::no_single_pattern<A, B>();
}

/// What matches both.
template <pattern A, pattern B>
using both_pattern = detail::same_node_pattern<term_kind::both, A, B>;
template <class A, class B>
requires(pattern<A> || pattern<B>) [[nodiscard]] constexpr auto operator&(A, B) {
    if constexpr (single_pattern<A> && single_pattern<B>)
        return both_pattern<A, B>{};
    else
        return detail::no_single_pattern<A, B>();
}

/// What does not match the pattern. Names inside it bind nothing; one that is bound before means that node.
template <pattern P>
struct no_pattern : detail::same_node_pattern<term_kind::no, P> {};
template <class P>
requires(pattern<P>) [[nodiscard]] constexpr auto operator!(P) {
    if constexpr (single_pattern<P>)
        return no_pattern<P>{};
    else
        return detail::no_single_pattern<P>();
}

/// A call whose only operand is the pattern, or the pattern alone; the longer match is tried first.
template <fixed_string Name, pattern P>
using optional_pattern = either_pattern<call_pattern<detail::name_list<Name>, P>, P>;
template <fixed_string Name>
struct optional_word : detail::single_word<optional_word<Name>> {
    template <class P>
    using of = optional_pattern<Name, P>;
};
template <fixed_string Name>
inline constexpr optional_word<Name> optional{};

}  // namespace dsl

}  // namespace inlay

#endif
