// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_DSL_CALL_ON_HPP
#define INLAY_PATTERN_DSL_CALL_ON_HPP

#include <cstdint>

#include <inlay/pattern/dsl/dsl.hpp>

// Words for operators that a back end takes alike.

namespace inlay::dsl {

/// `call_on<2, "onnx.Add", "onnx.Sum">(p)`: a call of one of these operators, whose first or second operand matches p (each is tried); the
/// others may be anything.
template <std::uint32_t Places, fixed_string... Names, class P>
[[nodiscard]] constexpr auto call_on(P) {
    if constexpr (pattern<P>)
        return unordered_pattern<detail::name_list<Names...>, Places, P, rest_pattern>{};
    else
        return detail::no_pattern<P>();
}

/// `maybe_call_on<1, "onnx.Relu", "onnx.Clip">(p)`: what matches p, perhaps with one of these calls on it; the longer match is tried first.
template <std::uint32_t Places, fixed_string... Names, class P>
[[nodiscard]] constexpr auto maybe_call_on(P p) {
    if constexpr (pattern<P>)
        return call_on<Places, Names...>(p) | p;
    else
        return detail::no_pattern<P>();
}

/// A custom matcher: `Read::from(graph, node)` gives the node that p has to match and the nodes in between, which the pattern covers;
/// `Read::name` stands for it in text. It begins at one of these operators; without any, anywhere.
template <class Read, pattern P, fixed_string... Names>
struct custom_matcher_pattern : detail::term_over<P> {
    static constexpr term_id write(term_writer& w) {
        pattern_term t;
        t.kind = term_kind::custom_matcher;
        t.name = Read::name;
        t.names = detail::name_list<Names...>::names;
        t.read = &Read::from;
        return w.add(t, {P::write(w)});
    }
};
template <class Read, fixed_string... Names, class P>
[[nodiscard]] constexpr auto read_by(P) {
    if constexpr (single_pattern<P>)
        return custom_matcher_pattern<Read, P, Names...>{};
    else
        return detail::no_single_pattern<P>();
}

}  // namespace inlay::dsl

#endif
