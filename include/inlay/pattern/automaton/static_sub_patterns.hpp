// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_AUTOMATON_STATIC_SUB_PATTERNS_HPP
#define INLAY_PATTERN_AUTOMATON_STATIC_SUB_PATTERNS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <inlay/pattern/automaton/sub_patterns.hpp>
#include <inlay/pattern/dsl/composite.hpp>

namespace inlay {

namespace detail {

struct inventory_sizes {
    std::size_t forms = 0, links = 0, names = 0, guards = 0;
};

/// Sub-patterns in arrays, so that the result of a constant expression outlives it.
template <inventory_sizes Sizes, std::size_t Patterns>
struct inventory_arrays {
    std::array<sub_pattern, Sizes.forms> forms{};
    std::array<std::uint32_t, Sizes.links + 1> links{};
    std::array<std::string_view, Sizes.names + 1> names{};
    std::array<node_question, Sizes.guards + 1> guards{};
    std::array<reduced_pattern, Patterns + 1> patterns{};

    constexpr explicit inventory_arrays(const sub_pattern_view& from) {
        for (std::size_t i = 0; i < Sizes.forms; ++i) forms[i] = from.forms[i];
        for (std::size_t i = 0; i < Sizes.links; ++i) links[i] = from.links[i];
        for (std::size_t i = 0; i < Sizes.names; ++i) names[i] = from.names[i];
        for (std::size_t i = 0; i < Sizes.guards; ++i) guards[i] = from.guards[i];
        for (std::size_t i = 0; i < Patterns; ++i) patterns[i] = from.patterns[i];
    }
};

template <pattern... Ps>
struct static_inventory {
    static constexpr std::array<const pattern_view*, sizeof...(Ps) + 1> views{&view_of(Ps{})..., nullptr};
    static constexpr std::span<const pattern_view* const> patterns{views.data(), sizeof...(Ps)};
    static constexpr inventory_sizes sizes = [] {
        const sub_patterns made(patterns);
        const sub_pattern_view v = made.view();
        return inventory_sizes{v.forms.size(), v.links.size(), v.names.size(), v.guards.size()};
    }();
    static constexpr inventory_arrays<sizes, sizeof...(Ps)> arrays{sub_patterns(patterns).view()};
    static constexpr sub_pattern_view view{{arrays.forms.data(), sizes.forms},
                                           {arrays.links.data(), sizes.links},
                                           {arrays.names.data(), sizes.names},
                                           {arrays.guards.data(), sizes.guards},
                                           {arrays.patterns.data(), sizeof...(Ps)}};
};

}  // namespace detail

/// The inventory of patterns that are known at compile time, made there. The view lives for ever.
template <pattern... Ps>
[[nodiscard]] constexpr const sub_pattern_view& sub_patterns_of(Ps...) {
    return detail::static_inventory<Ps...>::view;
}

/// The same of all composites of a table, in order.
template <class... Composites>
[[nodiscard]] constexpr const sub_pattern_view& sub_patterns_of(pattern_table<Composites...>) {
    return detail::static_inventory<typename Composites::pattern_type...>::view;
}

}  // namespace inlay

#endif
