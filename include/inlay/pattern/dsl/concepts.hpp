// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_DSL_CONCEPTS_HPP
#define INLAY_PATTERN_DSL_CONCEPTS_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include <inlay/pattern/term/capture_names.hpp>
#include <inlay/pattern/term/check_pattern.hpp>
#include <inlay/pattern/term/term_writer.hpp>

namespace inlay {

struct pattern_tag {};

/// An expression over operators, as an empty type: all there is to know of it is known at compile time. `P::binds` are the names it
/// captures, `P::counts` how many terms and links it takes as data, and `P::write(writer)` writes them, its root last or first.
///
/// `term_kind` gives the meaning of its terms.
template <class P>
concept pattern = std::derived_from<P, pattern_tag> && std::is_empty_v<P> && requires(term_writer& w) {
    typename P::binds;
    { P::counts } -> std::convertible_to<term_counts>;
    { P::write(w) } -> std::same_as<term_id>;
};

namespace detail {

template <class P>
struct require_pattern {
    static_assert(
        pattern<P>,
        "inlay: what stands here is no pattern; write it in the words of inlay::dsl: `any`, `constant`, `op<\"onnx.Relu\">(any)`");
    static constexpr bool ok = true;
};

/// Stands where something is no pattern, so that the one sentence about it is the only one.
struct stand_in_pattern : pattern_tag {
    using binds = capture_names<>;
    static constexpr term_counts counts{1, 0};
    static constexpr term_id write(term_writer& w) { return w.add({}); }
};

/// What a word gives of operands of which one is no pattern: a sentence about each that is none.
template <class... Ps>
[[nodiscard]] constexpr auto no_pattern() {
    static_assert((require_pattern<Ps>::ok && ...));
    return stand_in_pattern{};
}

/// The terms of a pattern, written at compile time.
template <pattern P>
struct written_pattern {
    std::array<pattern_term, P::counts.terms> terms{};
    std::array<term_id, P::counts.links + 1> links{};
    std::size_t term_count = 0;
    std::size_t link_count = 0;
    term_id root = 0;

    constexpr written_pattern() {
        term_writer w(terms.data(), links.data(), P::binds::names());
        root = P::write(w);
        term_count = w.terms();
        link_count = w.links();
    }
};

template <pattern P>
struct static_pattern {
    static constexpr written_pattern<P> written{};
    static constexpr pattern_view view{
        {written.terms.data(), written.term_count}, {written.links.data(), written.link_count}, P::binds::names(), written.root};
    static constexpr pattern_fault fault = fault_of(view);
    static_assert(fault != pattern_fault::undefined_name, "inlay: dsl::again names a pattern that no dsl::named around it defines");
    static_assert(fault != pattern_fault::free_hole, "inlay: dsl::hole stands in no step of a dsl::repeat, or in a dsl::named inside one");
    static_assert(fault != pattern_fault::endless_step,
                  "inlay: the step of a dsl::repeat matches at the node of its own dsl::hole; put the hole under an operator");
    static_assert(fault != pattern_fault::endless_reference,
                  "inlay: a dsl::named stands in itself at its own node; put dsl::again under an operator");
    static_assert(fault != pattern_fault::reference_under_no,
                  "inlay: a dsl::named stands in itself under a negation or on the path of a dominator");
    static_assert(fault != pattern_fault::hole_under_no,
                  "inlay: a dsl::hole stands in its step under a negation or on the path of a dominator");
    static_assert(fault != pattern_fault::hidden_name,
                  "inlay: inside a dsl::named another one has its name; give the inner one another name");
};

}  // namespace detail

/// A pattern as data. The view lives for ever.
template <pattern P>
[[nodiscard]] constexpr const pattern_view& view_of(P) {
    return detail::static_pattern<P>::view;
}

}  // namespace inlay

#endif
