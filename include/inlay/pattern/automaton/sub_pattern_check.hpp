// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_AUTOMATON_SUB_PATTERN_CHECK_HPP
#define INLAY_PATTERN_AUTOMATON_SUB_PATTERN_CHECK_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <inlay/pattern/automaton/sub_pattern.hpp>

namespace inlay {

enum class sub_pattern_answer : std::uint8_t { no, yes, unknown };

/// Whether a sub-pattern holds at one node, looked for from there down: for single questions, where no labels stand yet.
///
/// `Known` is asked first, `known(s, n)`: what is known of a sub-pattern at a node already.
template <graph G, class Known>
class sub_pattern_check {
public:
    using answer = sub_pattern_answer;

    /// `steps` is how many questions, each about a sub-pattern at a node, may be asked for one answer; beyond that it is `unknown`.
    sub_pattern_check(const G& g, const sub_pattern_view& set, Known known, std::size_t steps = 512)
        : g_(g), set_(set), known_(known), most_(steps) {}

    [[nodiscard]] answer holds(sub_pattern_id s, node_id n) {
        steps_ = depth_ = 0;
        return at(s, n);
    }

private:
    static constexpr std::size_t most_depth = 100;
    using form = sub_pattern::form;

    answer at(sub_pattern_id s, node_id n) {
        if (const answer known = known_(s, n); known != answer::unknown) return known;
        if (++steps_ > most_ || depth_ >= most_depth) return answer::unknown;
        ++depth_;
        const answer made = worked_out(s, n);
        --depth_;
        return made;
    }

    answer worked_out(sub_pattern_id s, node_id n) {
        const sub_pattern& f = set_.forms[s];
        switch (f.kind) {
            case form::node:
                return node(s, n);
            case form::guard:
                return inlay::holds(set_.guards[f.guard], g_, n) ? answer::yes : answer::no;
            case form::loop:
                return at(set_.children(s)[0], n);
            case form::no:
                return opposite(at(set_.children(s)[0], n));
            case form::either:
                return any_of(s, n, answer::yes);
            case form::both:
                return any_of(s, n, answer::no);
        }
        return answer::unknown;
    }
    static answer opposite(answer a) { return a == answer::unknown ? a : a == answer::yes ? answer::no : answer::yes; }
    /// The decisive answer if a child gives it, and the opposite if none does.
    answer any_of(sub_pattern_id s, node_id n, answer decisive) {
        bool all_known = true;
        for (const sub_pattern_id c : set_.children(s)) {
            const answer child = at(c, n);
            if (child == decisive) return decisive;
            all_known = all_known && child != answer::unknown;
        }
        return all_known ? opposite(decisive) : answer::unknown;
    }

    answer node(sub_pattern_id s, node_id n) {
        const sub_pattern& f = set_.forms[s];
        const std::size_t arity = g_.arity(n);
        if (kind_of(g_, n) != f.node || (f.open ? arity < f.arity : arity != f.arity) || !has_name(s, n)) return answer::no;
        const std::span<const std::uint32_t> children = set_.children(s);
        if (f.unordered) return answer_unordered(f, children, n);
        const std::size_t skipped = f.node == node_kind::function && f.open ? arity - f.arity : 0;
        answer made = answer::yes;
        for (std::size_t i = 0; i < children.size(); ++i) {
            if (children[i] == sub_pattern_view::always) continue;
            const answer child = at(children[i], g_.operand(n, i + skipped));
            if (child == answer::no) return child;
            if (child == answer::unknown) made = child;
        }
        return made;
    }
    [[nodiscard]] bool has_name(sub_pattern_id s, node_id n) const {
        if (set_.forms[s].names == 0) return true;
        const std::string_view found = name_asked_for(g_, n, set_.forms[s].node);
        for (const std::uint32_t name : set_.names_of(s))
            if (set_.names[name] == found) return true;
        return false;
    }
    /// Of few children, whether each finds an operand of its own; of many nobody asks here.
    answer answer_unordered(const sub_pattern& f, std::span<const std::uint32_t> children, node_id n) {
        if (children.size() > 6) return answer::unknown;
        const std::size_t arity = g_.arity(n), places = arity < f.most ? arity : f.most;
        std::uint64_t sets = 1;  // of children that have an operand
        for (std::size_t i = 0; i < places; ++i) {
            std::uint64_t more = sets;
            for (std::uint32_t c = 0; c < children.size(); ++c) {
                const answer child = at(children[c], g_.operand(n, i));
                if (child == answer::unknown) return child;
                if (child == answer::no) continue;
                for (std::uint32_t set = 0; set < (1u << children.size()); ++set)
                    if ((sets >> set & 1) != 0 && (set >> c & 1) == 0) more |= std::uint64_t{1} << (set | 1u << c);
            }
            sets = more;
        }
        return (sets >> ((1u << children.size()) - 1) & 1) != 0 ? answer::yes : answer::no;
    }

    const G& g_;
    sub_pattern_view set_;
    Known known_;
    std::size_t most_, steps_ = 0, depth_ = 0;
};

}  // namespace inlay

#endif
