// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_LIST_LIST_LINT_HPP
#define INLAY_CODEGEN_LIST_LIST_LINT_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/pattern/term/subsumption.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// A composite that the partitioner eager never takes, and the one before it in the table that takes its nodes; no names where there is
/// none.
struct shadowed_composite {
    std::string_view name{}, by{};
    /// Whether the earlier one matches inside every match of the later one, and not at its root: `conv` before `relu(conv)`.
    bool is_inside = false;

    friend constexpr bool operator==(const shadowed_composite&, const shadowed_composite&) = default;
};

namespace detail {

/// Where in every match of one pattern another one is known to match.
class pattern_inside {
public:
    constexpr pattern_inside(const pattern_view& inner, const pattern_view& outer) : inner_(inner), outer_(outer) {
        std::size_t nodes = 0;
        for (const pattern_term& t : inner.terms) nodes += t.kind == term_kind::node && t.node == node_kind::call ? 1 : 0;
        // A node that the outer pattern reads twice may be read outside the inner one's match, which is then refused.
        bool reads_twice = false;
        for (const pattern_term& a : outer.terms)
            for (const pattern_term& b : outer.terms)
                reads_twice =
                    reads_twice || (a.kind == term_kind::capture && b.kind == term_kind::capture && &a != &b && a.place == b.place);
        is_fit_ = nodes == 1 || !reads_twice;
    }

    /// Whether the inner pattern matches at a node below the root, which the outer one covers, wherever the outer one matches.
    constexpr bool holds() { return is_fit_ && stands_below(outer_.root); }

private:
    constexpr bool stands_at(term_id t) {
        if (++steps_ > most_steps) return false;
        const pattern_term& term = outer_[t];
        switch (term.kind) {
            case term_kind::node: {
                pattern_view part = outer_;
                part.root = t;
                return (term.node == node_kind::call && subsumes(inner_, part)) || stands_below(t);
            }
            case term_kind::capture:
            case term_kind::attributes:
            case term_kind::type: {
                // With the guards around the operator, which the inner pattern may ask for too.
                pattern_view part = outer_;
                part.root = t;
                return (is_call(t) && subsumes(inner_, part)) || stands_at(outer_.child(term, 0));
            }
            case term_kind::both:
                for (const term_id c : outer_.children(term))
                    if (stands_at(c)) return true;
                return false;
            case term_kind::either:
                for (const term_id c : outer_.children(term))
                    if (!stands_at(c)) return false;
                return term.count != 0;
            case term_kind::repeat:
                return stands_at(outer_.child(term, 0)) && (term.least != 0 || stands_at(outer_.child(term, 1)));
            case term_kind::dominates:
                return stands_at(outer_.child(term, 2)) || stands_at(outer_.child(term, 0));
            default:
                return false;
        }
    }
    constexpr bool stands_below(term_id t) {
        const pattern_term& term = outer_[t];
        switch (term.kind) {
            case term_kind::node:
                for (const term_id c : outer_.children(term))
                    if (stands_at(c)) return true;
                return false;
            case term_kind::capture:
            case term_kind::attributes:
            case term_kind::type:
                return stands_below(outer_.child(term, 0));
            case term_kind::both:
                for (const term_id c : outer_.children(term))
                    if (stands_below(c)) return true;
                return false;
            case term_kind::either:
                for (const term_id c : outer_.children(term))
                    if (!stands_below(c)) return false;
                return term.count != 0;
            default:
                return false;
        }
    }
    constexpr bool is_call(term_id t) const {
        while (outer_[t].kind == term_kind::capture || outer_[t].kind == term_kind::attributes || outer_[t].kind == term_kind::type)
            t = outer_.child(outer_[t], 0);
        return outer_[t].kind == term_kind::node && outer_[t].node == node_kind::call;
    }

    static constexpr std::size_t most_steps = 4096;
    pattern_view inner_, outer_;
    std::size_t steps_ = 0;
    bool is_fit_ = false;
};

/// Calls `f(shadowed)` for each composite of a table that an earlier one without a predicate is known to shadow, with the first such: it
/// matches wherever the later one does, or inside each of its matches. O(composites squared).
template <class... Composites, class F>
constexpr void for_each_shadowed(pattern_table<Composites...>, F&& f) {
    constexpr std::size_t count = sizeof...(Composites);
    const pattern_view* const views[] = {&view_of(typename Composites::pattern_type{})..., nullptr};
    constexpr std::string_view names[] = {Composites::name..., std::string_view()};
    constexpr bool takes_all[] = {std::is_same_v<typename Composites::predicate_type, always>..., false};
    for (std::size_t later = 0; later < count; ++later)
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
            if (!takes_all[earlier]) continue;
            const bool at_root = subsumes(*views[earlier], *views[later]);
            if (!at_root && !pattern_inside(*views[earlier], *views[later]).holds()) continue;
            f(shadowed_composite{names[later], names[earlier], !at_root});
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

/// The first composite of a back end that an earlier one without a predicate is known to shadow: eager, which takes matches in the order of
/// the table, gives the earlier one the nodes. What is not known to be so (`subsumes`) is not told.
template <class B>
[[nodiscard]] constexpr shadowed_composite first_shadowed() {
    shadowed_composite first;
    detail::for_each_shadowed(B::patterns(), [&](const shadowed_composite& one) {
        if (first.name.empty()) first = one;
    });
    return first;
}

namespace detail {
template <class B>
struct require_fit_for_eager {
    static_assert(
        first_shadowed<B>().name.empty(),
        "inlay: a composite of a back end stands behind one without a predicate that matches wherever it does, or inside it, so that eager "
        "never gets to it; put the larger or more special pattern first, or give the earlier one a predicate");
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
        backends.visit(number, [&]<class B>(const B& b) {
            if constexpr (has_patterns<B>)
                detail::for_each_shadowed(std::remove_cvref_t<decltype(b)>::patterns(), [&](const shadowed_composite& one) {
                    notes.push_back(
                        "composite '" + std::string(one.name) + "' of back end '" + std::string(b.kind) + "' stands behind '" +
                        std::string(one.by) + "', which " +
                        (one.is_inside ? "takes nodes out of each of its matches" : "matches wherever it does") +
                        " and has no predicate, so that eager never gets to it; put it first, or give the other one a predicate");
                });
        });
    return notes;
}

}  // namespace inlay

#endif
