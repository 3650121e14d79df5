// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_PATTERNS_HPP
#define INLAY_BACKEND_ONEDNN_PATTERNS_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include <inlay/backend/onednn/activation.hpp>
#include <inlay/pattern/dsl.hpp>

// What this back end's patterns are made of beside the words of `dsl`.

namespace inlay::detail {

/// A call of one of several operators, one of whose first `Places` operands matches (each is tried); the others may be anything.
template <std::size_t Places, pattern Operand, fixed_string... Names>
struct onednn_call_pattern : pattern_tag {
    using binds = typename Operand::binds;

    [[nodiscard]] static std::string text() {
        std::string s;
        for (std::size_t place = 0; place < Places; ++place) {
            const std::string operands = '(' + (place == 0 ? std::string() : std::string("*, ")) + Operand::text() + ", ...)";
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

template <std::size_t Places, fixed_string... Names, pattern P>
[[nodiscard]] constexpr auto onednn_after(P) {
    return onednn_call_pattern<Places, P, Names...>{};
}

/// A call of one of the operators on the pattern, or the pattern alone.
template <std::size_t Places, pattern P, fixed_string... Names>
struct onednn_maybe_pattern : pattern_tag {
    using binds = typename P::binds;
    using call = onednn_call_pattern<Places, P, Names...>;

    [[nodiscard]] static std::string text() { return call::text() + " | " + P::text(); }

    template <class C, class S, class Next>
    static bool match(const C& c, node_id n, S& state, Next&& next) {
        return call::match(c, n, state, next) || P::match(c, n, state, next);
    }
};
template <std::size_t Places, fixed_string... Names, pattern P>
[[nodiscard]] constexpr auto onednn_maybe(P) {
    return onednn_maybe_pattern<Places, P, Names...>{};
}

/// An element-wise function, in any of the spellings that `onednn_activation_reader` reads, of what matches the pattern.
template <pattern P>
struct onednn_activated_pattern : pattern_tag {
    using binds = typename P::binds;

    [[nodiscard]] static std::string text() { return "activation(" + P::text() + ")"; }

    template <class C, class S, class Next>
    static bool match(const C& c, node_id n, S& state, Next&& next) {
        const auto read = onednn_activation_reader(onednn_graph_nodes<std::remove_cvref_t<decltype(c.graph)>>{c.graph}).read(n);
        if (!read) return false;
        const std::size_t before = state.covered.size();
        state.covered.insert(state.covered.end(), read->calls.begin(), read->calls.end());
        if (P::match(c, read->source, state, next)) return true;
        state.covered.resize(before);
        return false;
    }
};
template <pattern P>
[[nodiscard]] constexpr auto onednn_activated(P) {
    return onednn_activated_pattern<P>{};
}

/// An element-wise function of what matches the pattern, or the pattern alone.
template <pattern P>
struct onednn_maybe_activated_pattern : pattern_tag {
    using activated = onednn_activated_pattern<P>;
    using binds = typename activated::binds;

    [[nodiscard]] static std::string text() { return activated::text() + " | " + P::text(); }

    template <class C, class S, class Next>
    static bool match(const C& c, node_id n, S& state, Next&& next) {
        return activated::match(c, n, state, next) || P::match(c, n, state, next);
    }
};
template <pattern P>
[[nodiscard]] constexpr auto onednn_maybe_activated(P) {
    return onednn_maybe_activated_pattern<P>{};
}

}  // namespace inlay::detail

#endif
