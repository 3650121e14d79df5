// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_BACKEND_VTABLE_HPP
#define INLAY_CANDIDATE_BACKEND_VTABLE_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/composite_entry.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/candidate/matched_region.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/pattern/match/matcher.hpp>
#include <inlay/target/limits.hpp>

namespace inlay {

/// A composite of a back end as functions: with these alone compiled for each composite and back end, all else of enumerating and pricing
/// is compiled once for a graph. `instance` is the configured back end, `composite` the number of the composite in its table, for back ends
/// that are one type for many tables. A region that is asked about prices holds its formats.
struct composite_vtable {
    std::string_view name;
    const pattern_view* pattern;  // null for what a rule joined
    const void* code;             // stands for who makes code of a plan: composites of one entry make the same; null: the region alone
                                  // decides what code is made, whichever composite took it
    /// What the composite learns of a match, or why it does not take it. `captures`: values by slot; `pieces`: of what a rule joined.
    outcome<composite_plan> (*read)(const void* instance, std::uint32_t composite, const region_view& region,
                                    std::span<const value_id> captures, std::span<const matched_piece> pieces);
    std::vector<border_formats> (*formats)(const void* instance, const composite_plan& plan, const region_view& region);
    outcome<std::optional<double>> (*price)(const void* instance, const composite_plan& plan, const region_view& region);
    double (*lower_bound)(const void* instance, const composite_plan& plan, const region_view& region);
};

/// A back end as functions of an instance of it.
struct backend_vtable {
    const composite_vtable* composites;  // its pattern table, and behind it what its rule joined
    std::size_t count;                   // of the pattern table
    limits (*most)(const void* instance);

    /// The composite of that number; every number behind the table means what a rule joined.
    [[nodiscard]] const composite_vtable& operator[](std::uint32_t composite) const {
        return composites[composite < count ? composite : count];
    }
};

namespace detail {

template <class B, class Composite>
outcome<composite_plan> read_composite(const void* instance, std::uint32_t, const region_view& region, std::span<const value_id> captures,
                                       std::span<const matched_piece>) {
    return composite_entry<B, Composite>::read(*static_cast<const B*>(instance),
                                               match_of<typename Composite::pattern_type>::of_values(region, captures));
}
template <class B>
outcome<composite_plan> read_joined(const void* instance, std::uint32_t, const region_view& region, std::span<const value_id>,
                                    std::span<const matched_piece> pieces) {
    return joined_entry<B>::read(*static_cast<const B*>(instance), joined_view{region, pieces});
}
template <class B, class Entry>
std::vector<border_formats> formats_of_plan(const void* instance, const composite_plan& plan, const region_view& region) {
    return Entry::formats(*static_cast<const B*>(instance), plan, region);
}
template <class B, class Entry>
outcome<std::optional<double>> price_of_plan(const void* instance, const composite_plan& plan, const region_view& region) {
    return Entry::price(*static_cast<const B*>(instance), plan, region);
}
template <class B, class Entry>
double bound_of_plan(const void* instance, const composite_plan& plan, const region_view& region) {
    return Entry::lower_bound(*static_cast<const B*>(instance), plan, region);
}

template <class Backend>
limits backend_limits(const void* instance) {
    if constexpr (requires(const Backend& b) { limits(b.limits()); })
        return static_cast<const Backend*>(instance)->limits();
    else
        return {};
}

/// Its address stands for an entry.
template <class Entry>
inline constexpr char code_of = 0;

template <class B, class Entry>
[[nodiscard]] constexpr composite_vtable composite_row(std::string_view name, const pattern_view* pattern,
                                                       decltype(composite_vtable::read) read) {
    return {name,
            pattern,
            Entry::has_emit ? &code_of<typename Entry::type> : nullptr,
            read,
            &formats_of_plan<B, Entry>,
            &price_of_plan<B, Entry>,
            &bound_of_plan<B, Entry>};
}

template <class B, class Table>
struct vtables_of;
template <class B, class... Composites>
struct vtables_of<B, pattern_table<Composites...>> {
    static constexpr composite_vtable composites[] = {
        composite_row<B, composite_entry<B, Composites>>(Composites::name, &view_of(typename Composites::pattern_type{}),
                                                         &read_composite<B, Composites>)...,
        composite_row<B, joined_entry<B>>("joined", nullptr, &read_joined<B>)};
    static constexpr backend_vtable all{composites, sizeof...(Composites), &backend_limits<B>};
};

}  // namespace detail

/// A back end with patterns, formats and perhaps `limits()` as functions. They live for ever. A program of several sources can have them
/// compiled in one: `extern template const backend_vtable& backend_vtable_of<B>();` behind the back end's definition, and the same line
/// without `extern` in that source.
template <class Backend>
[[nodiscard]] const backend_vtable& backend_vtable_of() {
    return detail::vtables_of<Backend, std::remove_cvref_t<decltype(Backend::patterns())>>::all;
}

/// The functions of a back end, whether its type has them or it brings its own table with a member `vtable()`, as one does that was
/// loaded while the program runs.
template <class Backend>
[[nodiscard]] const backend_vtable& vtable_of(const Backend& b) {
    if constexpr (requires { b.vtable(); })
        return b.vtable();
    else
        return backend_vtable_of<Backend>();
}

/// Whether there are such functions.
template <class Backend>
concept has_composites = has_patterns<Backend> || requires(const Backend& b) {
    { b.vtable() } -> std::same_as<const backend_vtable&>;
};

/// Reads a match again as the composite of that number read it: in another process, or after the region was made anew. The match has its
/// captures and pieces; their plans are read first.
[[nodiscard]] inline outcome<void> read_again(const backend_vtable& backend, const void* instance, std::uint32_t composite,
                                              matched_region& match) {
    for (matched_piece& piece : match.pieces)
        if (auto done = read_again(backend, instance, piece.composite, *piece.match.get()); !done) return done;
    auto plan = backend[composite].read(instance, composite, match.body.view(), match.captures, match.pieces);
    if (!plan) return plan.failure();
    match.plan = *std::move(plan);
    return {};
}

}  // namespace inlay

#endif
