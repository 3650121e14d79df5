// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_LIST_LINT_HPP
#define INLAY_CODEGEN_LIST_LINT_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <inlay/pattern/composite.hpp>
#include <inlay/pattern/subsumption.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// A composite that no eager partitioner gets to, and the one before it that takes whatever it takes; no names where there is none.
struct shadowed_composite {
    std::string_view name{}, by{};

    friend constexpr bool operator==(const shadowed_composite&, const shadowed_composite&) = default;
};

namespace detail {

/// Calls `f(later, earlier)` for each composite of a table that an earlier one without a predicate is known to match wherever it does, with
/// the first such. O(composites squared).
template <class... Composites, class F>
constexpr void for_each_shadowed(pattern_table<Composites...>, F&& f) {
    constexpr std::size_t count = sizeof...(Composites);
    const pattern_view* const views[] = {&view_of(typename Composites::pattern_type{})..., nullptr};
    constexpr std::string_view names[] = {Composites::name..., std::string_view()};
    constexpr bool takes_all[] = {std::is_same_v<typename Composites::predicate_type, always>..., false};
    for (std::size_t later = 0; later < count; ++later)
        for (std::size_t earlier = 0; earlier < later; ++earlier)
            if (takes_all[earlier] && subsumes(*views[earlier], *views[later])) {
                f(names[later], names[earlier]);
                break;
            }
}

/// The places of layouts that a back end lists at its borders and its code generation does not take.
template <class B>
[[nodiscard]] constexpr bool emits_what_it_lists() {
    if constexpr (requires { B::border_layouts.size(), B::emitted_layouts.size(); }) {
        for (const layout& listed : B::border_layouts) {
            bool found = false;
            for (const layout& emitted : B::emitted_layouts) found = found || emitted == listed;
            if (!found) return false;
        }
    }
    return true;
}

template <class B>
struct require_layouts {
    static_assert(emits_what_it_lists<B>(),
                  "inlay: a back end has a layout in `border_layouts` that is not in its `emitted_layouts`, so that it would be given "
                  "tensors that its code generation does not take; emit it, or do not list it");
    static constexpr bool ok = true;
};

}  // namespace detail

/// The first composite of a back end that an earlier one without a predicate is known to match wherever it does: eager, which asks in the
/// order of the table, never gets to it. What is not known to be so (`subsumes`) is not told.
template <class B>
[[nodiscard]] constexpr shadowed_composite first_shadowed() {
    shadowed_composite first;
    detail::for_each_shadowed(B::patterns(), [&](std::string_view later, std::string_view earlier) {
        if (first.name.empty()) first = {later, earlier};
    });
    return first;
}

namespace detail {
template <class B>
struct require_fit_for_eager {
    static_assert(first_shadowed<B>().name.empty(),
                  "inlay: a composite of a back end stands behind one without a predicate that matches wherever it does, so that eager never "
                  "gets to it; put the more special pattern first, or give the earlier one a predicate");
    static constexpr bool ok = true;
};
template <class List>
inline constexpr bool list_fits_eager = false;
template <template <class...> class List, class... Bs>
inline constexpr bool list_fits_eager<List<Bs...>> = (require_fit_for_eager<Bs>::ok && ...);
}  // namespace detail

/// For a `static_assert` on a `backend_list` that is partitioned eagerly: where a composite would never be chosen, the compiler says so in
/// one sentence, and names the back end in that of its template.
template <class List>
inline constexpr bool fit_for_eager = detail::list_fits_eager<List>;

/// One sentence for each composite of the chosen back ends of a list that eager never gets to. `backends` is a `backend_list`.
template <class List>
[[nodiscard]] std::vector<std::string> list_notes(const List& backends) {
    std::vector<std::string> notes;
    for (const std::size_t number : backends.chosen())
        backends.visit(number, [&](const auto& b) {
            detail::for_each_shadowed(std::remove_cvref_t<decltype(b)>::patterns(), [&](std::string_view later, std::string_view earlier) {
                notes.push_back("composite '" + std::string(later) + "' of back end '" + std::string(b.kind) + "' stands behind '" +
                                std::string(earlier) + "', which matches wherever it does and has no predicate, so that eager never gets to "
                                "it; put it first, or give the other one a predicate");
            });
        });
    return notes;
}

}  // namespace inlay

#endif
