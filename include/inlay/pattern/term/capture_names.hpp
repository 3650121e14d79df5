// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TERM_CAPTURE_NAMES_HPP
#define INLAY_PATTERN_TERM_CAPTURE_NAMES_HPP

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include <inlay/core/fixed_string.hpp>

namespace inlay {

/// The names that a pattern binds, as a type; a name may stand more than once.
template <fixed_string... Names>
struct capture_names {
    static constexpr std::size_t size = sizeof...(Names);
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    /// All of them, in order.
    [[nodiscard]] static constexpr std::span<const std::string_view> names() { return {views.data(), size}; }

    /// The slot of a name: the place where it stands first; `none` where it stands nowhere.
    [[nodiscard]] static constexpr std::size_t slot(std::string_view name) {
        for (std::size_t i = 0; i < size; ++i)
            if (views[i] == name) return i;
        return none;
    }

private:
    static constexpr std::array<std::string_view, size + 1> views{Names.view()..., std::string_view()};
};

namespace detail {
template <class... Lists>
struct joined_names;
template <>
struct joined_names<> {
    using type = capture_names<>;
};
template <fixed_string... A>
struct joined_names<capture_names<A...>> {
    using type = capture_names<A...>;
};
template <fixed_string... A, fixed_string... B, class... Rest>
struct joined_names<capture_names<A...>, capture_names<B...>, Rest...> {
    using type = typename joined_names<capture_names<A..., B...>, Rest...>::type;
};
}  // namespace detail

/// The names of several patterns, one list after the other.
template <class... Lists>
using joined_names = typename detail::joined_names<Lists...>::type;

}  // namespace inlay

#endif
