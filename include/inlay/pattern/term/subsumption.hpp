// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TERM_SUBSUMPTION_HPP
#define INLAY_PATTERN_TERM_SUBSUMPTION_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <inlay/core/in_force.hpp>
#include <inlay/pattern/automaton/same_question.hpp>
#include <inlay/pattern/term/pattern_term.hpp>

namespace inlay {

namespace detail {

/// Whether one pattern matches wherever another does, term by term.
class subsumption {
public:
    constexpr subsumption(const pattern_view& general, const pattern_view& special) : g_(general), s_(special) {}

    constexpr bool holds() {
        // A name that stands twice asks for the same node twice, which no comparison of terms shows.
        for (const pattern_term& a : g_.terms)
            for (const pattern_term& b : g_.terms)
                if (a.kind == term_kind::capture && b.kind == term_kind::capture && &a != &b && a.place == b.place) return false;
        return covers(g_.root, s_.root);
    }

private:
    /// Whether term g takes each node that term s takes.
    constexpr bool covers(term_id general, term_id special) {
        if (++steps_ > most_steps) return false;
        const pattern_term &g = g_[general], &s = s_[special];
        switch (g.kind) {
            case term_kind::any:
                return true;
            case term_kind::capture:
                return covers(g_.child(g, 0), special);
            case term_kind::both:
                for (const term_id part : g_.children(g))
                    if (!covers(part, special)) return false;
                return true;
            case term_kind::attributes:
                return has_guards(g, special) && covers(g_.child(g, 0), special);
            case term_kind::type:
                return has_type(g, special) && covers(g_.child(g, 0), special);
            default:
                break;
        }
        switch (s.kind) {
            case term_kind::capture:
            case term_kind::attributes:
            case term_kind::type:
                return (in_force<"pattern.subsumption.cases">() || s.kind == term_kind::capture) && covers(general, s_.child(s, 0));
            case term_kind::dominates:
                return covers(general, s_.child(s, 2));
            case term_kind::either:
                for (const term_id way : s_.children(s))
                    if (!covers(general, way)) return false;
                return s.count != 0;
            case term_kind::repeat:
                return covers(general, s_.child(s, 0)) && (s.least != 0 || covers(general, s_.child(s, 1)));
            default:
                break;
        }
        if (g.kind == term_kind::either) {
            for (const term_id way : g_.children(g))
                if (covers(way, special)) return true;
            return false;
        }
        if (s.kind == term_kind::both) {
            for (const term_id part : s_.children(s))
                if (covers(general, part)) return true;
            return false;
        }
        if (g.kind == term_kind::repeat) return g.least == 0 && covers(g_.child(g, 1), special);
        if (g.kind == term_kind::literal) return s.kind == term_kind::literal && s.number == g.number;
        if (g.kind == term_kind::value) return s.kind == term_kind::value && s.content == g.content;
        if (g.kind != term_kind::node) return !in_force<"pattern.subsumption.sound">();
        if (s.kind == term_kind::literal || s.kind == term_kind::value)
            return g.node == node_kind::constant && g.names.empty() && g.count == 0;
        return s.kind == term_kind::node && covers_node(g, s);
    }

    constexpr bool covers_node(const pattern_term& g, const pattern_term& s) {
        if (g.node != s.node || (g.place != pattern_term::unbounded && g.place != s.place)) return false;
        if (g.open ? s.count < g.count : s.open || s.count != g.count) return false;
        if (!g.names.empty() && s.names.empty()) return false;
        for (const std::string_view name : s.names)
            if (!g.names.empty() && !has(g, name)) return false;
        if (s.unordered && s.most < s.count) return false;
        if (g.unordered) return g.most >= (s.unordered && s.open ? s.most : s.count) && covers_in_some_order(g, s, 0, 0);
        // The child of an open function is its result, the last of its operands.
        const std::size_t skipped = g.node == node_kind::function && g.open ? s.count - g.count : 0;
        for (std::size_t i = 0; i < g.count; ++i) {
            if (!s.unordered) {
                if (!covers(g_.child(g, i), s_.child(s, skipped + i))) return false;
                continue;
            }
            // Any of its children may stand there; of an open one, or where fewer than all operands are asked about, anything may.
            if (g_[g_.child(g, i)].kind == term_kind::any) continue;
            if (s.open || s.most != pattern_term::unbounded) return false;
            for (std::size_t j = 0; j < s.count; ++j)
                if (!covers(g_.child(g, i), s_.child(s, j))) return false;
        }
        return true;
    }
    static constexpr bool has(const pattern_term& t, std::string_view name) {
        for (const std::string_view known : t.names)
            if (known == name) return true;
        return false;
    }
    /// Whether each child of g from the i-th on covers a child of s of its own; `used` has a bit for each that is taken.
    constexpr bool covers_in_some_order(const pattern_term& g, const pattern_term& s, std::size_t i, std::uint64_t used) {
        if (i == g.count) return true;
        for (std::size_t j = 0; j < s.count && j < 64; ++j) {
            const std::uint64_t bit = std::uint64_t{1} << j;
            if ((used & bit) == 0 && covers(g_.child(g, i), s_.child(s, j)) && covers_in_some_order(g, s, i + 1, used | bit)) return true;
        }
        return false;
    }

    /// Whether the special term asks for each of the general one's guards itself.
    constexpr bool has_guards(const pattern_term& g, term_id special) const {
        for (const attribute_guard& wanted : g.guards) {
            const bool asked = any_around(special, [&](const pattern_term& s) {
                for (const attribute_guard& one : s.guards)
                    if (s.kind == term_kind::attributes && same_guard(one, wanted)) return true;
                return false;
            });
            if (!asked) return false;
        }
        return true;
    }
    constexpr bool has_type(const pattern_term& g, term_id special) const {
        return any_around(special, [&](const pattern_term& s) { return s.kind == term_kind::type && same_guard(*s.type, *g.type); });
    }
    /// Whether a term, or one of those of the same node right below, is as asked for.
    template <class Asked>
    constexpr bool any_around(term_id t, const Asked& asked) const {
        for (;; t = s_.child(s_[t], 0)) {
            if (asked(s_[t])) return true;
            if (s_[t].kind != term_kind::capture && s_[t].kind != term_kind::attributes && s_[t].kind != term_kind::type) return false;
        }
    }

    static constexpr std::size_t most_steps = 4096;
    pattern_view g_, s_;
    std::size_t steps_ = 0;
};

}  // namespace detail

/// Whether the general pattern is known to match at each node at which the special one does, in any graph. A yes is sound; a no may be
/// wrong: negations, references, custom matchers, names that stand twice, and patterns of thousands of terms are not looked into.
[[nodiscard]] constexpr bool subsumes(const pattern_view& general, const pattern_view& special) {
    return detail::subsumption(general, special).holds();
}

}  // namespace inlay

#endif
