// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_COMPOSITE_ENTRY_HPP
#define INLAY_CANDIDATE_COMPOSITE_ENTRY_HPP

#include <concepts>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/composite_plan.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/candidate/matched_region.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/pattern/dsl/composite.hpp>

namespace inlay {

namespace detail {

template <class T>
inline constexpr bool is_outcome = false;
template <class T>
inline constexpr bool is_outcome<outcome<T>> = true;

template <class T>
struct value_of_outcome;
template <class T>
struct value_of_outcome<outcome<T>> {
    using type = T;
};

}  // namespace detail

/// A composite that reads: its third part has `read(back end, match)`, which gives the composite's plan or one sentence on why the back end
/// does not take the match. `Match` is the `match_of` its pattern, or `joined_view`.
template <class Entry, class B, class Match>
concept reads_matches = requires(const Entry& e, const B& b, const Match& m) {
    e.read(b, m);
    requires detail::is_outcome<std::remove_cvref_t<decltype(e.read(b, m))>>;
};

/// The plan that an entry reads: what its `formats`, `price`, `lower_bound` and `emit` get.
template <class Entry, class B, class Match>
using plan_read_by = typename detail::value_of_outcome<
    std::remove_cvref_t<decltype(std::declval<const Entry&>().read(std::declval<const B&>(), std::declval<const Match&>()))>>::type;

/// It lists the border formats for a plan, in place of the back end's `formats(region)`.
template <class Entry, class B, class Plan>
concept lists_formats = requires(const Entry& e, const B& b, const Plan& p, const region_view& r) {
    { e.formats(b, p, r) } -> std::convertible_to<std::vector<border_formats>>;
};
/// It prices a plan, in place of the back end's `price(region)`: seconds, or nothing where the candidate is to be measured. The region
/// holds the formats.
template <class Entry, class B, class Plan>
concept prices_plans = requires(const Entry& e, const B& b, const Plan& p, const region_view& r) {
    { e.price(b, p, r) } -> std::convertible_to<std::optional<double>>;
};
/// It knows seconds that no measurement of a plan will be below. The region holds the formats.
template <class Entry, class B, class Plan>
concept bounds_plans = requires(const Entry& e, const B& b, const Plan& p, const region_view& r) {
    { e.lower_bound(b, p, r) } -> std::convertible_to<double>;
};
/// It makes code of a plan by itself: another composite of the back end on the same nodes is another way to run them. The region holds the
/// formats.
template <class Entry, class B, class Plan>
concept emits_plans = requires(const Entry& e, const B& b, const Plan& p, const region_view& r) {
    e.emit(b, p, r);
};

/// A region that a back end's partition rule joined, as the back end's `joined` entry reads it.
struct joined_view {
    const region_view& joined;
    std::span<const matched_piece> pieces;

    [[nodiscard]] const region_view& region() const { return joined; }
};

/// A back end that says what becomes of what its partition rule joined, with a type `joined` that reads a `joined_view`. Without it a
/// joined region goes the back end's own way: `formats(region)`, `price(region)`, `emit(region)`.
template <class B>
concept has_joined_entry = requires {
    typename B::joined;
}
&&reads_matches<typename B::joined, B, joined_view>;

namespace detail {

/// An entry of a back end, asked with plans whose type is erased. `Match` is what it reads.
template <class B, class Entry, class Match>
struct entry_of {
    using type = Entry;
    static constexpr bool reads = reads_matches<Entry, B, Match>;

    template <bool Reads, class = void>
    struct plan_type {
        using type = void;
    };
    template <class Void>
    struct plan_type<true, Void> {
        using type = plan_read_by<Entry, B, Match>;
    };
    using plan = typename plan_type<reads>::type;

    static constexpr bool has_formats = [] {
        if constexpr (reads) return lists_formats<Entry, B, plan>;
        return false;
    }();
    static constexpr bool has_price = [] {
        if constexpr (reads) return prices_plans<Entry, B, plan>;
        return false;
    }();
    static constexpr bool has_lower_bound = [] {
        if constexpr (reads) return bounds_plans<Entry, B, plan>;
        return false;
    }();
    static constexpr bool has_emit = [] {
        if constexpr (reads) return emits_plans<Entry, B, plan>;
        return false;
    }();

    /// The plan of a match, or why it is not taken.
    [[nodiscard]] static outcome<composite_plan> read(const B& self, const Match& match) {
        if constexpr (reads) {
            auto made = Entry{}.read(self, match);
            if (!made) return made.failure();
            return composite_plan::of(*std::move(made));
        } else if constexpr (std::is_invocable_v<Entry, const B&, const Match&>) {
            verdict answer = Entry{}(self, match);
            if (!answer.taken) return error{std::move(answer.reason)};
            return composite_plan();
        } else {
            return composite_plan();
        }
    }
    [[nodiscard]] static std::vector<border_formats> formats(const B& self, const composite_plan& of, const region_view& region) {
        if constexpr (has_formats)
            return Entry{}.formats(self, *of.as<plan>(), region);
        else if constexpr (requires { self.formats(region); })
            return self.formats(region);
        else
            return {};
    }
    /// Nothing where the candidate is to be measured.
    [[nodiscard]] static std::optional<double> price(const B& self, const composite_plan& of, const region_view& region) {
        if constexpr (has_price)
            return Entry{}.price(self, *of.as<plan>(), region);
        else if constexpr (requires { self.price(region); })
            return self.price(region);
        else
            return std::nullopt;
    }
    /// 0 where nothing is known.
    [[nodiscard]] static double lower_bound(const B& self, const composite_plan& of, const region_view& region) {
        if constexpr (has_lower_bound)
            return Entry{}.lower_bound(self, *of.as<plan>(), region);
        else if constexpr (requires {
                               { self.lower_bound(region) } -> std::convertible_to<double>;
                           })
            return self.lower_bound(region);
        else
            return 0;
    }
};

/// What is asked of each composite of a table, whatever type it has: whether it lists its formats, and whether it makes its own code.
template <class B, class Table>
struct entries_of_table;
template <class B, class... Composites>
struct entries_of_table<B, pattern_table<Composites...>> {
    template <class C>
    using entry = entry_of<B, typename C::predicate_type, match_of<typename C::pattern_type>>;

    static constexpr bool all_have_formats = (entry<Composites>::has_formats && ...);
    static constexpr bool all_have_code = (entry<Composites>::has_emit && ...);
    static constexpr bool some_have_code = (entry<Composites>::has_emit || ...);
    static constexpr bool some_have_prices = (entry<Composites>::has_price || ...);
    static constexpr bool some_have_bounds = (entry<Composites>::has_lower_bound || ...);
    static constexpr bool all_can_be_asked =
        ((entry<Composites>::reads || std::is_invocable_r_v<verdict, typename Composites::predicate_type, const B&,
                                                            const match_of<typename Composites::pattern_type>&>)&&...);
};
/// The table itself says that an element of it is no composite; nobody is to stumble over that again.
template <class B, class... Elements>
requires(!(is_composite<Elements> && ...)) struct entries_of_table<B, pattern_table<Elements...>> {
    static constexpr bool all_have_formats = true, all_have_code = true, some_have_code = false, some_have_prices = false,
                          some_have_bounds = false, all_can_be_asked = true;
};
template <class B>
using entries = entries_of_table<B, std::remove_cvref_t<decltype(B::patterns())>>;

/// The entry of a composite.
template <class B, class Composite>
using composite_entry = entry_of<B, typename Composite::predicate_type, match_of<typename Composite::pattern_type>>;

template <class B>
struct joined_entry_type {
    struct none {};
    using type = entry_of<B, none, joined_view>;
};
template <has_joined_entry B>
struct joined_entry_type<B> {
    using type = entry_of<B, typename B::joined, joined_view>;
};
/// The entry of what a back end's partition rule joined.
template <class B>
using joined_entry = typename joined_entry_type<B>::type;

}  // namespace detail

}  // namespace inlay

#endif
