// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TERM_CHECK_PATTERN_HPP
#define INLAY_PATTERN_TERM_CHECK_PATTERN_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/pattern/term/pattern_term.hpp>

namespace inlay {

/// What can be wrong with a pattern as a whole.
enum class pattern_fault : std::uint8_t {
    none,
    undefined_name,      // a reference refers to nothing
    free_hole,           // a hole stands in no step of a repetition, or the step is outside the named pattern that it stands in
    endless_step,        // the step of a repetition matches at its own hole's node
    endless_reference,   // a named pattern stands in itself at its own node
    reference_under_no,  // a named pattern stands in itself under a negation, or on the path of a dominator
    hole_under_no,       // a hole stands in its step under a negation, or on the path of a dominator
    hidden_name          // inside a named pattern another one has its name
};

namespace detail {

/// Walks a pattern once from each term that it has to. Terms * terms in the worst case, linear where there is no recursion.
class pattern_checker {
public:
    constexpr explicit pattern_checker(const pattern_view& p) : p_(p) {
        // One by one: clang cannot fill a vector of libstdc++ 12 at compile time.
        state_.reserve(p.terms.size());
        mark_.reserve(p.terms.size());
        for (std::size_t t = 0; t < p.terms.size(); ++t) {
            state_.push_back(0);
            mark_.push_back(0);
        }
    }

    constexpr pattern_fault run() {
        for (const term_id l : p_.links)
            if (l >= p_.terms.size()) return pattern_fault::undefined_name;
        if (has_free_hole()) return pattern_fault::free_hole;
        for (term_id t = 0; t < p_.terms.size(); ++t) {
            const pattern_term& at = p_[t];
            if (at.kind == term_kind::repeat && reaches(p_.child(at, 0), no_term, true)) return pattern_fault::endless_step;
            if (at.kind == term_kind::reference && reaches(p_.child(at, 0), t, true)) return pattern_fault::endless_reference;
            if (at.kind == term_kind::reference && hides(t)) return pattern_fault::hidden_name;
            // Whether something holds is asked by a search inside the search, which is not to go on inside itself, as deep as the graph.
            if (at.kind != term_kind::no && at.kind != term_kind::dominates) continue;
            const term_id asked = p_.child(at, at.kind == term_kind::no ? 0 : 1);
            if (reaches(asked, t, false)) return pattern_fault::reference_under_no;
            if (reaches(asked, no_term, false)) return pattern_fault::hole_under_no;
        }
        return pattern_fault::none;
    }

private:
    struct visit {
        term_id term;
        bool in_step;
    };

    /// Whether a hole is reached that no step holds. A reference begins anew: what stands around it is not around what it refers to.
    constexpr bool has_free_hole() {
        std::vector<visit> open{{p_.root, false}};
        while (!open.empty()) {
            const visit v = open.back();
            open.pop_back();
            const pattern_term& t = p_[v.term];
            if (t.kind == term_kind::hole && !v.in_step) return true;
            const bool inside = v.in_step && t.kind != term_kind::reference;
            const std::uint8_t bit = inside ? 2 : 1;
            if ((state_[v.term] & bit) != 0) continue;
            state_[v.term] = static_cast<std::uint8_t>(state_[v.term] | bit);
            for (std::size_t i = 0; i < t.count; ++i) {
                // Holes of a base are those of the repetition around it.
                const bool step = t.kind == term_kind::repeat && i == 0;
                open.push_back({p_.child(t, i), step || inside});
            }
        }
        return false;
    }

    /// Whether a term, or where none is named a hole of this step, is reached from here; `same_node`: without going to another node.
    constexpr bool reaches(term_id from, term_id sought, bool same_node) {
        ++round_;
        std::vector<term_id> open{from};
        while (!open.empty()) {
            const term_id at = open.back();
            open.pop_back();
            if (at == sought) return true;
            if (mark_[at] == round_) continue;
            mark_[at] = round_;
            const pattern_term& t = p_[at];
            if (t.kind == term_kind::hole && sought == no_term) return true;
            if (same_node && (t.kind == term_kind::node || t.kind == term_kind::custom_matcher)) continue;
            for (std::size_t i = 0; i < t.count; ++i) {
                if (same_node && t.kind == term_kind::dominates && i != 2) continue;
                // A repetition inside has holes of its own in its step.
                if (sought == no_term && t.kind == term_kind::repeat && i == 0) continue;
                open.push_back(p_.child(t, i));
            }
        }
        return false;
    }

    /// A reference that has a meaning of its own, and is not the use of another one.
    constexpr bool is_definition(const pattern_term& t) const {
        const pattern_term& meaning = p_[p_.child(t, 0)];
        return t.kind == term_kind::reference && (meaning.kind != term_kind::reference || meaning.name != t.name);
    }
    /// Whether inside this named pattern another is defined under its name.
    constexpr bool hides(term_id definition) {
        if (!is_definition(p_[definition])) return false;
        ++round_;
        std::vector<term_id> open{p_.child(p_[definition], 0)};
        while (!open.empty()) {
            const term_id at = open.back();
            open.pop_back();
            if (at == definition || mark_[at] == round_) continue;
            mark_[at] = round_;
            const pattern_term& t = p_[at];
            if (t.kind == term_kind::reference && t.name == p_[definition].name && is_definition(t)) return true;
            for (std::size_t i = 0; i < t.count; ++i) open.push_back(p_.child(t, i));
        }
        return false;
    }

    const pattern_view& p_;
    std::vector<std::uint8_t> state_;
    std::vector<std::uint32_t> mark_;
    std::uint32_t round_ = 0;
};

}  // namespace detail

/// What is wrong with a pattern, so that its search might never end or means nothing.
[[nodiscard]] constexpr pattern_fault fault_of(const pattern_view& p) {
    // Without holes and references nothing can be; most patterns have none, and this is asked of each while it is compiled.
    for (const pattern_term& t : p.terms)
        if (t.kind == term_kind::hole || t.kind == term_kind::reference) return detail::pattern_checker(p).run();
    return pattern_fault::none;
}

/// The same as a sentence.
[[nodiscard]] inline outcome<void> check_pattern(const pattern_view& p) {
    switch (fault_of(p)) {
        case pattern_fault::none:
            return {};
        case pattern_fault::undefined_name:
            return error{"the pattern refers to a name that nothing in it defines; define it around the place, as in %name:p"};
        case pattern_fault::free_hole:
            return error{
                "a hole '_' stands in no step of a repetition, or in a named pattern inside one; it stands for what the step is applied "
                "to, as in repeat(Relu(_), p)"};
        case pattern_fault::endless_step:
            return error{
                "the step of a repetition matches at the node of its own hole, so that it could be repeated for ever; put the hole under "
                "an operator"};
        case pattern_fault::endless_reference:
            return error{
                "a named pattern stands in itself at its own node, so that its search would never end; put the inner one under an "
                "operator"};
        case pattern_fault::reference_under_no:
            return error{
                "a named pattern stands in itself under a negation or on the path of a dominator, which says nothing; take it out from "
                "there"};
        case pattern_fault::hole_under_no:
            return error{"a hole '_' stands in its step under a negation or on the path of a dominator; take it out from there"};
        case pattern_fault::hidden_name:
            return error{
                "inside a named pattern another one has its name, so that the outer one cannot be meant; give the inner one another name"};
    }
    return {};
}

}  // namespace inlay

#endif
