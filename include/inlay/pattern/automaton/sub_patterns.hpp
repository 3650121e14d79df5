// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_AUTOMATON_SUB_PATTERNS_HPP
#define INLAY_PATTERN_AUTOMATON_SUB_PATTERNS_HPP

#include <cstddef>
#include <cstdint>
#include <span>

#include <inlay/core/plain_list.hpp>
#include <inlay/pattern/automaton/sub_pattern.hpp>
#include <inlay/pattern/automaton/sub_pattern_store.hpp>
#include <inlay/pattern/automaton/unfolding_limits.hpp>
#include <inlay/pattern/term/capture_counts.hpp>

namespace inlay {

/// The sub-patterns of a set of patterns. The same code computes them in a constant expression and at run time. What the patterns' views
/// refer to must outlive this object. O(terms) for patterns without repetitions.
class sub_patterns {
public:
    constexpr explicit sub_patterns(std::span<const pattern_view* const> patterns, unfolding_limits limits = {}) : limits_(limits) {
        for (std::size_t i = 0; i < patterns.size(); ++i) reduced_.push_back(reduce(*patterns[i]));
    }

    [[nodiscard]] constexpr sub_pattern_view view() const {
        return {store_.forms(), store_.links(), store_.names(), store_.guards(), reduced_.all()};
    }

private:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;
    using form = sub_pattern::form;

    /// The sub-pattern of a term. `inside` is the depth of the outermost unfinished definition that the term refers to; none: it refers to
    /// none.
    struct answer {
        sub_pattern_id at = sub_pattern_view::always;
        bool exact = true;
        std::uint32_t inside = none;
    };
    /// What a hole means: a repetition whose step stands `number` times around it. Also what a term of the kind `reference` is while it is
    /// written.
    struct definition {
        term_id term = 0;
        std::uint32_t number = 0, outer = none;
        enum class stage : std::uint8_t { fresh, open, done } now = stage::fresh;
        answer found{};
        sub_pattern_id loop = none;          // of one that is referred to while it is open
        std::uint32_t depth = 0, nodes = 0;  // where it was opened
    };

    constexpr reduced_pattern reduce(const pattern_view& p) {
        p_ = &p;
        visits_ = depth_ = nodes_ = open_ = 0;
        definitions_.clear();
        captured_.count(p, limits_);
        written_.assign(p.terms.size(), answer{none, true, none});
        const answer whole = term(p.root, none);
        return {whole.at, whole.exact};
    }

    static constexpr answer unknown() { return {sub_pattern_view::always, false, none}; }
    constexpr answer asked(const node_question& q) { return {store_.question(q), true, none}; }
    /// Combines two answers into one that depends on both.
    static constexpr void join(answer& a, const answer& with) {
        a.exact = a.exact && with.exact;
        a.inside = a.inside < with.inside ? a.inside : with.inside;
    }

    constexpr answer term(term_id number, std::uint32_t in) {
        if (in == none && written_[number].at != none) return written_[number];
        if (depth_ >= limits_.depth || ++visits_ > limits_.visits) return unknown();
        ++depth_;
        const answer made = write(p_->terms[number], number, in);
        --depth_;
        // What refers to an open definition may stand elsewhere where it must not.
        if (in == none && made.inside == none) written_[number] = made;
        return made;
    }

    constexpr answer write(const pattern_term& t, term_id number, std::uint32_t in) {
        const term_id* children = p_->links.data() + t.first;
        switch (t.kind) {
            case term_kind::any:
                return {};
            case term_kind::node:
                return node(t, in);
            case term_kind::literal:
            case term_kind::value:
                return asked({&t, nullptr, false});
            case term_kind::either: {
                answer made{sub_pattern_view::never, true, none};
                const std::size_t before = pending_.size();
                for (std::uint32_t i = 0; i < t.count; ++i) {
                    const answer child = term(children[i], in);
                    join(made, child);
                    pending_.push_back(child.at);
                }
                made.at = store_.several(form::either, pending_, before);
                return made;
            }
            case term_kind::both: {
                answer made;
                const std::size_t before = pending_.size();
                for (std::uint32_t i = 0; i < t.count; ++i) {
                    const answer child = term(children[i], in);
                    join(made, child);
                    pending_.push_back(child.at);
                }
                made.at = store_.several(form::both, pending_, before);
                return made;
            }
            case term_kind::no: {
                const answer child = term(children[0], in);
                if (!child.exact || child.inside != none) return unknown();
                return {store_.negated(child.at), true, none};
            }
            case term_kind::capture: {
                answer child = term(children[0], in);
                if (t.place < captured_.size() && captured_[t.place] > 1) child.exact = false;
                return child;
            }
            case term_kind::attributes: {
                answer made = term(children[0], in);
                const std::size_t before = pending_.size();
                pending_.push_back(made.at);
                for (const attribute_guard& guard : t.guards) pending_.push_back(store_.question({&t, &guard, true}));
                made.at = store_.several(form::both, pending_, before);
                return made;
            }
            case term_kind::type: {
                answer made = term(children[0], in);
                const std::size_t before = pending_.size();
                pending_.push_back(made.at);
                pending_.push_back(store_.question({&t, nullptr, false}));
                made.at = store_.several(form::both, pending_, before);
                return made;
            }
            case term_kind::repeat:
                return define(number, 0, in);
            case term_kind::hole:
                return in == none ? unknown() : again(in);
            case term_kind::reference:
                return define(number, 0, none);
            case term_kind::custom_matcher: {
                sub_pattern s;
                s.kind = form::node;
                s.open = true;
                answer made = unknown();
                made.at = store_.add(s, {}, t.names);
                return made;
            }
            case term_kind::dominates: {
                answer made = term(children[2], in);
                made.exact = false;
                return made;
            }
        }
        return unknown();
    }

    constexpr answer node(const pattern_term& t, std::uint32_t in) {
        answer made;
        const std::size_t before = pending_.size();
        ++nodes_;
        for (std::uint32_t i = 0; i < t.count; ++i) {
            const answer child = term(p_->links[t.first + i], in);
            join(made, child);
            // A child that accepts any operand accepts what the others leave.
            if (!t.unordered || child.at != sub_pattern_view::always) pending_.push_back(child.at);
        }
        --nodes_;
        sub_pattern s;
        s.kind = form::node;
        s.node = t.node;
        s.open = t.open;
        s.arity = t.count;
        bool hopeless = t.unordered && t.most < t.count;
        for (std::size_t i = before; i < pending_.size(); ++i) hopeless = hopeless || pending_[i] == sub_pattern_view::never;
        if (t.unordered) {
            if (t.open) s.most = t.most;
            sort_from(pending_, before);
            if (pending_.size() - before > limits_.children) made.exact = false;
            s.unordered = pending_.size() != before;
        } else {
            while (pending_.size() > before && pending_[pending_.size() - 1] == sub_pattern_view::always) pending_.pop_back();
        }
        if (!s.unordered) s.most = sub_pattern::unbounded;
        made.at = hopeless ? sub_pattern_view::never : store_.add(s, pending_.all().subspan(before), t.names);
        pending_.cut(before);
        if (t.node == node_kind::projection && t.place != pattern_term::unbounded) {
            pending_.push_back(made.at);
            pending_.push_back(store_.question({&t, nullptr, false}));
            made.at = store_.several(form::both, pending_, before);
        }
        return made;
    }

    /// The definition of that term, repeated so often, under what holes mean around it; written now unless it is.
    constexpr answer define(term_id t, std::uint32_t number, std::uint32_t outer) {
        std::uint32_t d = 0;
        while (d < definitions_.size() &&
               !(definitions_[d].term == t && definitions_[d].number == number && definitions_[d].outer == outer))
            ++d;
        if (d == definitions_.size()) {
            if (d > 4 * limits_.depth) return unknown();
            definitions_.push_back({t, number, outer});
        }
        return again(d);
    }

    constexpr answer again(std::uint32_t d) {
        using stage = definition::stage;
        if (definitions_[d].now == stage::done && definitions_[d].found.inside == none) return definitions_[d].found;
        if (definitions_[d].now == stage::open) {
            // Without a node in between, the same question would be its own answer.
            if (definitions_[d].nodes == nodes_) return unknown();
            if (definitions_[d].loop == none) definitions_[d].loop = store_.loop();
            return {definitions_[d].loop, true, definitions_[d].depth};
        }
        if (depth_ >= limits_.depth || ++visits_ > limits_.visits) return unknown();
        ++depth_;
        const std::uint32_t depth = open_++;
        definitions_[d].now = stage::open;
        definitions_[d].loop = none;
        definitions_[d].depth = depth;
        definitions_[d].nodes = nodes_;
        answer made = body(d);
        --open_;
        --depth_;
        if (definitions_[d].loop != none) store_.close(definitions_[d].loop, made.at);
        if (made.inside != none && made.inside >= depth) made.inside = none;
        definitions_[d].found = made;
        definitions_[d].now = stage::done;
        if (made.inside != none) definitions_[d].now = stage::fresh;
        return made;
    }

    constexpr answer body(std::uint32_t d) {
        const definition at = definitions_[d];
        const pattern_term& t = p_->terms[at.term];
        if (t.kind == term_kind::reference) return term(p_->links[t.first], none);
        const std::uint32_t most_apart = limits_.repetitions;
        const bool last_apart = at.number >= most_apart;
        const bool more = at.number < t.most;
        const bool done = at.number >= t.least || last_apart;
        answer made{sub_pattern_view::never, true, none};
        if (last_apart && (t.most != pattern_term::unbounded || t.least > at.number)) made.exact = false;
        const std::size_t before = pending_.size();
        if (more) {
            const bool same = last_apart || (t.most == pattern_term::unbounded && at.number >= t.least);
            const std::uint32_t next = hole_of(at.term, same ? at.number : at.number + 1, at.outer);
            const answer step = next == none ? unknown() : term(p_->links[t.first], next);
            join(made, step);
            pending_.push_back(step.at);
        }
        if (done) {
            const answer base = term(p_->links[t.first + 1], at.outer);
            join(made, base);
            pending_.push_back(base.at);
        }
        made.at = store_.several(form::either, pending_, before);
        return made;
    }
    constexpr std::uint32_t hole_of(term_id t, std::uint32_t number, std::uint32_t outer) {
        std::uint32_t d = 0;
        while (d < definitions_.size() &&
               !(definitions_[d].term == t && definitions_[d].number == number && definitions_[d].outer == outer))
            ++d;
        if (d == definitions_.size()) {
            if (d > 4 * limits_.depth) return none;
            definitions_.push_back({t, number, outer});
        }
        return d;
    }

    unfolding_limits limits_;
    sub_pattern_store store_;
    plain_list<reduced_pattern> reduced_;

    // Of the pattern at hand.
    const pattern_view* p_ = nullptr;
    capture_counts captured_;
    plain_list<answer> written_;  // by term, where no hole is open
    plain_list<definition> definitions_;
    plain_list<sub_pattern_id> pending_;
    std::uint32_t visits_ = 0, depth_ = 0, nodes_ = 0, open_ = 0;
};

}  // namespace inlay

#endif
