// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_ACTIVATED_HPP
#define INLAY_BACKEND_ONEDNN_ACTIVATED_HPP

#include <cstddef>
#include <string>
#include <type_traits>

#include <inlay/backend/onednn/activation.hpp>
#include <inlay/pattern/concepts.hpp>

namespace inlay::detail {

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
