// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_DSL_DSL_NODE_HPP
#define INLAY_PATTERN_DSL_DSL_NODE_HPP

#include <cstdint>

#include <inlay/pattern/dsl/dsl.hpp>

// Words for nodes that are no calls of operators: tuples, functions, branches.

namespace inlay::dsl {

/// A node of one kind whose operands match, in the order that `node_kind` gives. `rest` last: further ones as well.
template <node_kind Kind, pattern... Operands>
struct node_pattern : detail::term_over<Operands...> {
    static constexpr term_id write(term_writer& w) {
        pattern_term t;
        t.node = Kind;
        return detail::write_node<Operands...>(w, t);
    }
};
template <node_kind Kind>
struct node_word {
    template <class... Operands>
    [[nodiscard]] constexpr auto operator()(Operands...) const {
        static_assert(Kind != node_kind::function || sizeof...(Operands) < 2 || detail::rest_place<Operands...>() == sizeof...(Operands),
                      "inlay: the last of a dsl::function is its result; whatever its parameters, write dsl::any_function(result)");
        if constexpr ((pattern<Operands> && ...))
            return node_pattern<Kind, Operands...>{};
        else
            return detail::no_pattern<Operands...>();
    }
};
inline constexpr node_word<node_kind::tuple> tuple{};          // tuple(a, b): these fields; tuple(rest): any
inline constexpr node_word<node_kind::let> let{};              // let(variable, value, body)
inline constexpr node_word<node_kind::if_else> if_else{};      // if_else(condition, result of one branch, result of the other)
inline constexpr node_word<node_kind::apply> apply{};          // apply(function, arguments...)
inline constexpr node_word<node_kind::function> function{};    // function(parameters..., result); function(rest): any
inline constexpr node_word<node_kind::match> match_on{};       // match_on(scrutinee, clauses...)
inline constexpr node_word<node_kind::construct> construct{};  // construct(fields...)
inline constexpr node_word<node_kind::make_ref> make_ref{};    // make_ref(content)
inline constexpr node_word<node_kind::read_ref> read_ref{};    // read_ref(cell)
inline constexpr node_word<node_kind::write_ref> write_ref{};  // write_ref(cell, content)
inline constexpr node_word<node_kind::global> global{};        // global()

/// A field of a tuple that matches; `pattern_term::unbounded`: whichever field.
template <std::uint32_t Field, pattern P>
struct projection_pattern : detail::term_over<P> {
    static constexpr term_id write(term_writer& w) {
        pattern_term t;
        t.node = node_kind::projection;
        t.place = Field;
        return detail::write_node<P>(w, t);
    }
};
template <std::uint32_t Field>
struct projection_word : detail::single_word<projection_word<Field>> {
    template <class P>
    using of = projection_pattern<Field, P>;
};
template <std::uint32_t Field>
inline constexpr projection_word<Field> field{};
inline constexpr projection_word<pattern_term::unbounded> any_field{};

/// A function, whatever its parameters, whose result matches.
template <pattern Result>
struct function_of_pattern : detail::term_over<Result> {
    static constexpr term_id write(term_writer& w) {
        pattern_term t;
        t.node = node_kind::function;
        t.open = true;
        return detail::write_node<Result>(w, t);
    }
};
struct any_function_word : detail::single_word<any_function_word> {
    template <class P>
    using of = function_of_pattern<P>;
};
inline constexpr any_function_word any_function{};

}  // namespace inlay::dsl

#endif
