// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_DSL_DSL_REPEAT_HPP
#define INLAY_PATTERN_DSL_DSL_REPEAT_HPP

#include <cstdint>

#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::dsl {

/// Stands in the step of a repetition for what the step is applied to.
struct hole_pattern : pattern_tag {
    using binds = capture_names<>;
    static constexpr term_counts counts{1, 0};
    static constexpr term_id write(term_writer& w) {
        pattern_term t;
        t.kind = term_kind::hole;
        return w.add(t);
    }
};
inline constexpr hole_pattern hole{};

template <std::uint32_t Least, std::uint32_t Most, pattern Step, pattern Base>
struct repeat_pattern : detail::term_over<Step, Base> {
    static constexpr term_id write(term_writer& w) {
        static_assert(Least <= Most,
                      "inlay: a dsl::repeat<least, most> repeats at least as often as at most; write the smaller number first");
        pattern_term t;
        t.kind = term_kind::repeat;
        t.least = Least;
        t.most = Most;
        return w.add(t, {Step::write(w), Base::write(w)});
    }
};
template <std::uint32_t Least, std::uint32_t Most>
struct repeat_word {
    template <class Step, class Base>
    [[nodiscard]] constexpr auto operator()(Step, Base) const {
        if constexpr (single_pattern<Step> && single_pattern<Base>)
            return repeat_pattern<Least, Most, Step, Base>{};
        else
            return detail::no_single_pattern<Step, Base>();
    }
};
/// `repeat<0, 4>(op<"Relu">(hole) | op<"Add">(hole, any), base)`: the step on the step on the base, least to most times. The longest is
/// tried first. `repeat<1>` has no upper bound.
template <std::uint32_t Least = 0, std::uint32_t Most = pattern_term::unbounded>
inline constexpr repeat_word<Least, Most> repeat{};

/// A pattern with a name, under which it may stand again inside itself: `named<"chain">(op<"Relu">(again<"chain"> | input))`.
template <fixed_string Name, pattern P>
struct named_pattern : detail::term_over<P> {
    static constexpr term_id write(term_writer& w) {
        return w.define(Name.view(), [](term_writer& inner) { return P::write(inner); });
    }
};
template <fixed_string Name>
struct named_word : detail::single_word<named_word<Name>> {
    template <class P>
    using of = named_pattern<Name, P>;
};
template <fixed_string Name>
inline constexpr named_word<Name> named{};

template <fixed_string Name>
struct again_pattern : pattern_tag {
    using binds = capture_names<>;
    static constexpr term_counts counts{1, 1};
    static constexpr term_id write(term_writer& w) {
        pattern_term t;
        t.kind = term_kind::reference;
        t.name = Name.view();
        return w.add(t, {w.defined(t.name)});
    }
};
template <fixed_string Name>
inline constexpr again_pattern<Name> again{};

/// A node that matches the child, and into which nothing flows but through one node that matches the parent, over nodes that match the
/// path: `dominates(op<"Conv">, op<"Relu"> | op<"Add">, op<"Mul">)`.
struct dominates_word {
    template <class Parent, class Path, class Child>
    [[nodiscard]] constexpr auto operator()(Parent, Path, Child) const {
        if constexpr (single_pattern<Parent> && single_pattern<Path> && single_pattern<Child>)
            return detail::same_node_pattern<term_kind::dominates, Parent, Path, Child>{};
        else
            return detail::no_single_pattern<Parent, Path, Child>();
    }
};
inline constexpr dominates_word dominates{};

}  // namespace inlay::dsl

#endif
