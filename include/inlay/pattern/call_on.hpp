// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_CALL_ON_HPP
#define INLAY_PATTERN_CALL_ON_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include <inlay/pattern/concepts.hpp>

// Words for operators that a back end takes alike. They say what alternatives and operand orders say when they are written out, but as
// one pattern each, which is much less to compile.

namespace inlay::dsl {

/// A call of one of several operators, one of whose first `Places` operands matches (each is tried); the others may be anything.
template <std::size_t Places, pattern Operand, fixed_string... Names>
struct call_on_pattern : pattern_tag {
    using binds = typename Operand::binds;

    [[nodiscard]] static std::string text() {
        std::string s;
        for (std::size_t place = 0; place < Places; ++place) {
            std::string operands = "(";
            for (std::size_t before = 0; before < place; ++before) operands += "*, ";
            operands += Operand::text() + ", ...)";
            ((s += (s.empty() ? "" : " | ") + std::string(Names.view()) + operands), ...);
        }
        return s;
    }

    template <class C, class S, class Next>
    static bool match(const C& c, node_id n, S& state, Next&& next) {
        if (kind_of(c.graph, n) != node_kind::call) return false;
        const std::string_view op = c.graph.op(n);
        if (((op != Names.view()) && ...)) return false;
        state.covered.push_back(n);
        for (std::size_t i = 0; i < c.graph.arity(n) && i < Places; ++i)
            if (Operand::match(c, c.graph.operand(n, i), state, next)) return true;
        state.covered.pop_back();
        return false;
    }
};

/// `call_on<2, "onnx.Add", "onnx.Sum">(p)`: a call of either, whose first or second operand matches p.
template <std::size_t Places, fixed_string... Names, class P>
[[nodiscard]] constexpr auto call_on(P) {
    if constexpr (pattern<P>)
        return call_on_pattern<Places, P, Names...>{};
    else
        return detail::no_pattern<P>();
}

/// The same, or what matches the operand's pattern alone; the longer match is tried first.
template <std::size_t Places, pattern P, fixed_string... Names>
struct maybe_call_on_pattern : pattern_tag {
    using binds = typename P::binds;
    using call = call_on_pattern<Places, P, Names...>;

    [[nodiscard]] static std::string text() { return call::text() + " | " + P::text(); }

    template <class C, class S, class Next>
    static bool match(const C& c, node_id n, S& state, Next&& next) {
        return call::match(c, n, state, next) || P::match(c, n, state, next);
    }
};

/// `maybe_call_on<1, "onnx.Relu", "onnx.Clip">(p)`: what matches p, perhaps with one of these calls on it.
template <std::size_t Places, fixed_string... Names, class P>
[[nodiscard]] constexpr auto maybe_call_on(P) {
    if constexpr (pattern<P>)
        return maybe_call_on_pattern<Places, P, Names...>{};
    else
        return detail::no_pattern<P>();
}

}  // namespace inlay::dsl

#endif
