// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_PATTERNS_HPP
#define INLAY_BACKEND_XNNPACK_PATTERNS_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include <inlay/pattern/dsl.hpp>

// What this back end's patterns are made of beside the words of `dsl`.

namespace inlay::detail {

/// A call of one of several operators, one of whose first `Places` operands matches (each is tried); the others may be anything.
template <std::size_t Places, pattern Operand, fixed_string... Names>
struct xnnpack_on_pattern : pattern_tag {
    using binds = typename Operand::binds;

    [[nodiscard]] static std::string text() {
        std::string names;
        ((names += (names.empty() ? "" : "/") + std::string(Names.view())), ...);
        std::string s;
        for (std::size_t place = 0; place < Places; ++place)
            s += (place == 0 ? names + "(" : " | " + names + "(*, ") + Operand::text() + ", ...)";
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

/// `xnnpack_on<1, "onnx.Relu", "onnx.Clip">(p)`: a call of either on what matches p.
template <std::size_t Places, fixed_string... Names, pattern P>
[[nodiscard]] constexpr auto xnnpack_on(P) {
    return xnnpack_on_pattern<Places, P, Names...>{};
}

/// The same, or the pattern alone; the longer match comes first.
template <std::size_t Places, pattern P, fixed_string... Names>
struct xnnpack_maybe_on_pattern : pattern_tag {
    using binds = typename P::binds;
    using call = xnnpack_on_pattern<Places, P, Names...>;

    [[nodiscard]] static std::string text() { return call::text() + " | " + P::text(); }

    template <class C, class S, class Next>
    static bool match(const C& c, node_id n, S& state, Next&& next) {
        return call::match(c, n, state, next) || P::match(c, n, state, next);
    }
};
template <std::size_t Places, fixed_string... Names, pattern P>
[[nodiscard]] constexpr auto xnnpack_maybe_on(P) {
    return xnnpack_maybe_on_pattern<Places, P, Names...>{};
}

/// What matches the pattern, perhaps cut to a range.
template <pattern P>
[[nodiscard]] constexpr auto xnnpack_maybe_clamped(P p) {
    return xnnpack_maybe_on<1, "onnx.Relu", "onnx.Clip">(p);
}

}  // namespace inlay::detail

#endif
