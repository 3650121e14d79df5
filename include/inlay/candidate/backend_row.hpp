// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_BACKEND_ROW_HPP
#define INLAY_CANDIDATE_BACKEND_ROW_HPP

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <vector>

#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/pattern/composite.hpp>
#include <inlay/pattern/matcher.hpp>
#include <inlay/target/limits.hpp>

namespace inlay {

/// A composite as functions: with rows alone compiled for each composite and back end, all else of the enumeration is compiled once for a graph.
struct composite_row {
    std::string_view name;
    const pattern_view* pattern;
    verdict (*when)(const void* instance, const region_view& view, const found_match& found);
};

/// A back end as functions of an instance of it.
struct backend_row {
    const composite_row* composites;  // its pattern table
    std::size_t count;
    limits (*most)(const void* instance);
    std::vector<border_formats> (*formats)(const void* instance, const region_view& view);
};

namespace detail {

template <class Backend, class Composite>
verdict composite_when(const void* instance, const region_view& view, const found_match& found) {
    return typename Composite::predicate_type{}(*static_cast<const Backend*>(instance),
                                                match_of<typename Composite::pattern_type>(view, found.bound));
}

template <class Backend>
limits backend_limits(const void* instance) {
    if constexpr (requires(const Backend& b) { limits(b.limits()); })
        return static_cast<const Backend*>(instance)->limits();
    else
        return {};
}
template <class Backend>
std::vector<border_formats> backend_formats(const void* instance, const region_view& view) {
    return static_cast<const Backend*>(instance)->formats(view);
}

template <class Backend, class Table>
struct rows_of;
template <class Backend, class... Composites>
struct rows_of<Backend, pattern_table<Composites...>> {
    static constexpr composite_row composites[] = {
        {Composites::name, &view_of(typename Composites::pattern_type{}), &composite_when<Backend, Composites>}...};
    static constexpr backend_row row{composites, sizeof...(Composites), &backend_limits<Backend>, &backend_formats<Backend>};
};

}  // namespace detail

/// The row of a back end with patterns, formats and perhaps `limits()`. It lives for ever.
template <class Backend>
[[nodiscard]] constexpr const backend_row& backend_row_of() {
    return detail::rows_of<Backend, std::remove_cvref_t<decltype(Backend::patterns())>>::row;
}

}  // namespace inlay

#endif
