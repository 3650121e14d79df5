// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_DSL_COMPOSITE_HPP
#define INLAY_PATTERN_DSL_COMPOSITE_HPP

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <inlay/core/fixed_string.hpp>
#include <inlay/pattern/dsl/concepts.hpp>
#include <inlay/pattern/dsl/verdict.hpp>

namespace inlay {

/// One thing a back end can do as a whole: a name, the pattern that finds it, and what decides about a match: `when(instance, match)` that
/// gives a `verdict`, or an entry, whose `read(instance, match)` gives a plan of its own (`candidate/composite_entry.hpp`).
template <fixed_string Name, pattern P, class When>
struct composite_type {
    static constexpr std::string_view name = Name.view();
    using pattern_type = P;
    using predicate_type = When;
};

/// `composite<"conv2d_relu">(pattern, [](const auto& self, const auto& m) -> verdict { ... })`
template <fixed_string Name, class P, class When = always>
[[nodiscard]] constexpr auto composite(P, When = {}) {
    static_assert(std::is_empty_v<When>,
                  "inlay: the predicate of a composite captures nothing; it reads the match and the back end's options");
    if constexpr (pattern<P>)
        return composite_type<Name, P, When>{};
    else
        return composite_type<Name, decltype(detail::no_pattern<P>()), When>{};
}

namespace detail {

template <class C>
inline constexpr bool is_composite = false;
template <fixed_string Name, class P, class When>
inline constexpr bool is_composite<composite_type<Name, P, When>> = true;

template <class C>
struct require_composite {
    static_assert(is_composite<C>,
                  "inlay: what stands here in a pattern_table is no composite; give the pattern a name: `composite<\"name\">(pattern)`");
    static constexpr bool ok = true;
};

}  // namespace detail

/// The composites of a back end in order of priority, as a type.
template <class... Composites>
struct pattern_table {
    static_assert((detail::require_composite<Composites>::ok && ...));

    static constexpr std::size_t size = sizeof...(Composites);

    constexpr pattern_table() = default;
    constexpr explicit pattern_table(Composites...) requires(sizeof...(Composites) != 0) {}

    /// Calls `f(composite, index)` for each, in order.
    template <class F>
    static constexpr void for_each(F&& f) {
        std::size_t index = 0;
        // What is no composite has been told of above; nobody is to stumble over it again.
        if constexpr ((detail::is_composite<Composites> && ...)) (f(Composites{}, index++), ...);
    }
};

/// It says what it can do with a static `patterns()`, a `pattern_table`.
template <class B>
concept has_patterns = requires {
    { B::patterns().size } -> std::convertible_to<std::size_t>;
};

}  // namespace inlay

#endif
