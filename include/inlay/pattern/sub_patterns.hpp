// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_SUB_PATTERNS_HPP
#define INLAY_PATTERN_SUB_PATTERNS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <inlay/pattern/same_question.hpp>
#include <inlay/pattern/sub_pattern.hpp>

namespace inlay {

namespace detail {

/// A growing list that compilers run through in few steps, and which numbers what it holds by a hash.
template <class T>
class plain_list {
public:
    constexpr plain_list() = default;
    plain_list(const plain_list&) = delete;
    plain_list& operator=(const plain_list&) = delete;
    constexpr ~plain_list() { delete[] items_; }

    constexpr void push(const T& item) {
        if (size_ == room_) reserve(room_ == 0 ? 64 : 2 * room_);
        items_[size_++] = item;
    }
    constexpr void cut(std::uint32_t size) { size_ = size; }
    [[nodiscard]] constexpr T& operator[](std::size_t i) { return items_[i]; }
    [[nodiscard]] constexpr const T& operator[](std::size_t i) const { return items_[i]; }
    [[nodiscard]] constexpr std::uint32_t size() const { return size_; }
    [[nodiscard]] constexpr std::span<const T> all() const { return {items_, size_}; }

private:
    constexpr void reserve(std::uint32_t room) {
        T* wider = new T[room]{};
        for (std::uint32_t i = 0; i < size_; ++i) wider[i] = items_[i];
        delete[] items_;
        items_ = wider;
        room_ = room;
    }

    T* items_ = nullptr;
    std::uint32_t size_ = 0, room_ = 0;
};

/// Numbers by hash, with open addresses; the numbers are those of a list beside it.
class number_hash {
public:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;

    constexpr number_hash() = default;
    number_hash(const number_hash&) = delete;
    number_hash& operator=(const number_hash&) = delete;
    constexpr ~number_hash() {
        delete[] numbers_;
        delete[] hashes_;
    }

    /// The number with this hash for which `same(number)`; where there is none, `none`, and `fresh` goes in.
    template <class Same>
    constexpr std::uint32_t find_or_add(std::uint32_t hash, std::uint32_t fresh, Same&& same) {
        if (2 * count_ >= room_) widen();
        std::uint32_t at = hash & (room_ - 1);
        while (numbers_[at] != none) {
            if (hashes_[at] == hash && same(numbers_[at])) return numbers_[at];
            at = (at + 1) & (room_ - 1);
        }
        numbers_[at] = fresh;
        hashes_[at] = hash;
        ++count_;
        return none;
    }

private:
    constexpr void widen() {
        const std::uint32_t before = room_;
        std::uint32_t* numbers = numbers_;
        std::uint32_t* hashes = hashes_;
        room_ = before == 0 ? 64 : 4 * before;
        numbers_ = new std::uint32_t[room_];
        hashes_ = new std::uint32_t[room_]{};
        for (std::uint32_t i = 0; i < room_; ++i) numbers_[i] = none;
        for (std::uint32_t i = 0; i < before; ++i) {
            if (numbers[i] == none) continue;
            std::uint32_t at = hashes[i] & (room_ - 1);
            while (numbers_[at] != none) at = (at + 1) & (room_ - 1);
            numbers_[at] = numbers[i];
            hashes_[at] = hashes[i];
        }
        delete[] numbers;
        delete[] hashes;
    }

    std::uint32_t* numbers_ = nullptr;
    std::uint32_t* hashes_ = nullptr;
    std::uint32_t count_ = 0, room_ = 0;
};

}  // namespace detail

/// How much of patterns is unfolded; what is beyond that is taken to hold everywhere, and a matcher has to look.
struct unfolding_limits {
    std::uint32_t depth = 100;        // of terms inside terms
    std::uint32_t repetitions = 16;   // of a repetition, one by one; without an upper bound, it is a loop from its least number on
    std::uint32_t visits = 1u << 16;  // of terms, for one pattern
    std::uint32_t children = 6;       // of an unordered node, `any` not counted
};

/// The inventory of the sub-patterns of a set of patterns, made by the same code in a constant expression and at run time. What the patterns'
/// views show has to outlive it. O(terms) where nothing repeats.
class sub_patterns {
public:
    constexpr explicit sub_patterns(std::span<const pattern_view* const> patterns, unfolding_limits limits = {}) : limits_(limits) {
        sub_pattern some;
        add(some, {}, {});  // 0: always
        some.kind = sub_pattern::form::either;
        add(some, {}, {});  // 1: never
        for (const pattern_view* p : patterns) reduced_.push(reduce(*p));
    }

    [[nodiscard]] constexpr sub_pattern_view view() const { return {forms_.all(), links_.all(), names_.all(), guards_.all(), reduced_.all()}; }

private:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;
    using form = sub_pattern::form;

    /// What a term came to: `inside` is the outermost definition still being written that it refers to, by depth; none: of none.
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
        sub_pattern_id loop = none;              // of one that is referred to while it is open
        std::uint32_t depth = 0, nodes = 0;      // where it was opened
    };

    constexpr reduced_pattern reduce(const pattern_view& p) {
        p_ = &p;
        visits_ = depth_ = nodes_ = open_ = 0;
        definitions_.cut(0);
        count_captures();
        written_.cut(0);
        for (std::size_t t = 0; t < p.terms.size(); ++t) written_.push(answer{none, true, none});
        const answer whole = term(p.root, none);
        return {whole.at, whole.exact};
    }

    static constexpr answer unknown() { return {sub_pattern_view::always, false, none}; }
    /// What hangs on both answers.
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
            case term_kind::any: return {};
            case term_kind::node: return node(t, in);
            case term_kind::literal:
            case term_kind::value: return question({&t, nullptr, false});
            case term_kind::either: {
                answer made{sub_pattern_view::never, true, none};
                const std::uint32_t before = pending_.size();
                for (std::uint32_t i = 0; i < t.count; ++i) {
                    const answer child = term(children[i], in);
                    join(made, child);
                    pending_.push(child.at);
                }
                made.at = several(form::either, before);
                return made;
            }
            case term_kind::both: {
                answer made;
                const std::uint32_t before = pending_.size();
                for (std::uint32_t i = 0; i < t.count; ++i) {
                    const answer child = term(children[i], in);
                    join(made, child);
                    pending_.push(child.at);
                }
                made.at = several(form::both, before);
                return made;
            }
            case term_kind::no: {
                const answer child = term(children[0], in);
                if (!child.exact || child.inside != none) return unknown();
                return {negated(child.at), true, none};
            }
            case term_kind::capture: {
                answer child = term(children[0], in);
                if (t.place < captured_.size() && captured_[t.place] > 1) child.exact = false;
                return child;
            }
            case term_kind::attributes: {
                answer made = term(children[0], in);
                const std::uint32_t before = pending_.size();
                pending_.push(made.at);
                for (const attribute_guard& guard : t.guards) pending_.push(question({&t, &guard, true}).at);
                made.at = several(form::both, before);
                return made;
            }
            case term_kind::type: {
                answer made = term(children[0], in);
                const std::uint32_t before = pending_.size();
                pending_.push(made.at);
                pending_.push(question({&t, nullptr, false}).at);
                made.at = several(form::both, before);
                return made;
            }
            case term_kind::repeat: return define(number, 0, in);
            case term_kind::hole: return in == none ? unknown() : again(in);
            case term_kind::reference: return define(number, 0, none);
            case term_kind::reader: {
                sub_pattern s;
                s.kind = form::node;
                s.open = true;
                answer made = unknown();
                made.at = add(s, {}, t.names);
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
        const std::uint32_t before = pending_.size();
        ++nodes_;
        for (std::uint32_t i = 0; i < t.count; ++i) {
            const answer child = term(p_->links[t.first + i], in);
            join(made, child);
            // Who takes any operand takes what the others leave.
            if (!t.unordered || child.at != sub_pattern_view::always) pending_.push(child.at);
        }
        --nodes_;
        sub_pattern s;
        s.kind = form::node;
        s.node = t.node;
        s.open = t.open;
        s.arity = t.count;
        bool hopeless = t.unordered && t.most < t.count;
        for (std::uint32_t i = before; i < pending_.size(); ++i) hopeless = hopeless || pending_[i] == sub_pattern_view::never;
        if (t.unordered) {
            if (t.open) s.most = t.most;
            sort(before);
            if (pending_.size() - before > limits_.children) made.exact = false;
            s.unordered = pending_.size() != before;
        } else {
            while (pending_.size() > before && pending_[pending_.size() - 1] == sub_pattern_view::always) pending_.cut(pending_.size() - 1);
        }
        if (!s.unordered) s.most = sub_pattern::unbounded;
        made.at = hopeless ? sub_pattern_view::never : add(s, pending_.all().subspan(before), t.names);
        pending_.cut(before);
        if (t.node == node_kind::projection && t.place != pattern_term::unbounded) {
            pending_.push(made.at);
            pending_.push(question({&t, nullptr, false}).at);
            made.at = several(form::both, before);
        }
        return made;
    }

    /// The definition of that term, repeated so often, under what holes mean around it; written now unless it is.
    constexpr answer define(term_id t, std::uint32_t number, std::uint32_t outer) {
        std::uint32_t d = 0;
        while (d < definitions_.size() && !(definitions_[d].term == t && definitions_[d].number == number && definitions_[d].outer == outer)) ++d;
        if (d == definitions_.size()) {
            if (d > 4 * limits_.depth) return unknown();
            definitions_.push({t, number, outer});
        }
        return again(d);
    }

    constexpr answer again(std::uint32_t d) {
        using stage = definition::stage;
        if (definitions_[d].now == stage::done && definitions_[d].found.inside == none) return definitions_[d].found;
        if (definitions_[d].now == stage::open) {
            // Without a node in between, the same question would be its own answer.
            if (definitions_[d].nodes == nodes_) return unknown();
            if (definitions_[d].loop == none) {
                definitions_[d].loop = forms_.size();
                sub_pattern s;
                s.kind = form::loop;
                s.first = links_.size();
                s.count = 1;
                links_.push(sub_pattern_view::always);
                forms_.push(s);
            }
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
        if (definitions_[d].loop != none) links_[forms_[definitions_[d].loop].first] = made.at;
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
        const std::uint32_t before = pending_.size();
        if (more) {
            const bool same = last_apart || (t.most == pattern_term::unbounded && at.number >= t.least);
            const std::uint32_t next = hole_of(at.term, same ? at.number : at.number + 1, at.outer);
            const answer step = next == none ? unknown() : term(p_->links[t.first], next);
            join(made, step);
            pending_.push(step.at);
        }
        if (done) {
            const answer base = term(p_->links[t.first + 1], at.outer);
            join(made, base);
            pending_.push(base.at);
        }
        made.at = several(form::either, before);
        return made;
    }
    constexpr std::uint32_t hole_of(term_id t, std::uint32_t number, std::uint32_t outer) {
        std::uint32_t d = 0;
        while (d < definitions_.size() && !(definitions_[d].term == t && definitions_[d].number == number && definitions_[d].outer == outer)) ++d;
        if (d == definitions_.size()) {
            if (d > 4 * limits_.depth) return none;
            definitions_.push({t, number, outer});
        }
        return d;
    }

    /// The sub-pattern of the kind over the pending ones from a place on, which it takes away.
    constexpr sub_pattern_id several(form kind, std::uint32_t before) {
        const sub_pattern_id neutral = kind == form::both ? sub_pattern_view::always : sub_pattern_view::never;
        const sub_pattern_id decisive = kind == form::both ? sub_pattern_view::never : sub_pattern_view::always;
        sort(before);
        std::uint32_t kept = before;
        bool decided = false;
        for (std::uint32_t i = before; i < pending_.size(); ++i) {
            if (pending_[i] == decisive) decided = true;
            if (pending_[i] == neutral || (kept != before && pending_[kept - 1] == pending_[i])) continue;
            pending_[kept++] = pending_[i];
        }
        sub_pattern_id made = decided ? decisive : kept == before ? neutral : pending_[before];
        if (!decided && kept - before > 1) {
            sub_pattern s;
            s.kind = kind;
            made = add(s, pending_.all().subspan(before, kept - before), {});
        }
        pending_.cut(before);
        return made;
    }
    constexpr sub_pattern_id negated(sub_pattern_id of) {
        if (of <= sub_pattern_view::never) return 1 - of;
        sub_pattern s;
        s.kind = form::no;
        const std::uint32_t child[] = {of};
        return add(s, child, {});
    }
    constexpr answer question(const node_question& q) {
        const std::uint32_t fresh = guards_.size();
        const std::uint32_t found = guard_hash_.find_or_add(detail::hash_of(q), fresh, [&](std::uint32_t g) { return detail::same_question(guards_[g], q); });
        if (found == none) guards_.push(q);
        sub_pattern s;
        s.kind = form::guard;
        s.guard = found == none ? fresh : found;
        return {add(s, {}, {}), true, none};
    }

    /// The number of a sub-pattern over these children and names, new or not.
    constexpr sub_pattern_id add(sub_pattern s, std::span<const std::uint32_t> children, std::span<const std::string_view> names) {
        const std::uint32_t links = links_.size();
        s.first = links;
        s.count = static_cast<std::uint32_t>(children.size());
        std::uint32_t hash = static_cast<std::uint32_t>(s.kind) | static_cast<std::uint32_t>(s.node) << 8 | std::uint32_t{s.open} << 16 | std::uint32_t{s.unordered} << 17;
        hash = detail::mixed(detail::mixed(hash, s.arity), s.guard);
        for (const std::uint32_t child : children) {
            links_.push(child);
            hash = detail::mixed(hash, child);
        }
        s.first_name = links_.size();
        s.names = static_cast<std::uint32_t>(names.size());
        for (const std::string_view name : names) {
            const std::uint32_t number = name_number(name);
            links_.push(number);
            hash = detail::mixed(hash, number);
        }
        const std::uint32_t fresh = forms_.size();
        const std::uint32_t found = form_hash_.find_or_add(hash, fresh, [&](std::uint32_t f) {
            sub_pattern same = forms_[f];
            if (same.count != s.count || same.names != s.names || same.kind == form::loop) return false;
            for (std::uint32_t i = 0; i < s.count; ++i)
                if (links_[same.first + i] != links_[s.first + i]) return false;
            for (std::uint32_t i = 0; i < s.names; ++i)
                if (links_[same.first_name + i] != links_[s.first_name + i]) return false;
            same.first = s.first;
            same.first_name = s.first_name;
            return same == s;
        });
        if (found == none)
            forms_.push(s);
        else
            links_.cut(links);
        return found == none ? fresh : found;
    }
    constexpr std::uint32_t name_number(std::string_view name) {
        const std::uint32_t fresh = names_.size();
        const std::uint32_t found = name_hash_.find_or_add(detail::mixed(0, name), fresh, [&](std::uint32_t n) { return names_[n] == name; });
        if (found == none) names_.push(name);
        return found == none ? fresh : found;
    }

    /// Sorts the pending ones from a place on. They are few, but for those that mean harm.
    constexpr void sort(std::uint32_t first) {
        const std::uint32_t count = pending_.size() - first;
        for (std::uint32_t step = count < 32 ? (count > 1 ? 1 : 0) : count / 2; step > 0; step /= 2)
            for (std::uint32_t i = first + step; i < pending_.size(); ++i)
                for (std::uint32_t j = i; j >= first + step && pending_[j] < pending_[j - step]; j -= step) std::swap(pending_[j], pending_[j - step]);
    }

    /// How often a match may bind each slot: 0, 1, or 2 for more.
    constexpr void count_captures() {
        captured_.cut(0);
        for (std::size_t i = 0; i < p_->slots.size(); ++i) captured_.push(0);
        if (p_->slots.empty()) return;
        bool simple = true;
        for (const pattern_term& t : p_->terms) {
            if (t.kind == term_kind::repeat || t.kind == term_kind::reference) simple = false;
            if (t.kind == term_kind::capture && ++captured_[t.place] > 1) simple = false;
        }
        // A term that is a child twice is matched twice.
        linked_.cut(0);
        for (std::size_t t = 0; t < p_->terms.size(); ++t) linked_.push(0);
        for (const term_id t : p_->links)
            if (t < linked_.size() && ++linked_[t] > 1) simple = false;
        if (simple) return;
        for (std::uint32_t slot = 0; slot < captured_.size(); ++slot) {
            if (captured_[slot] == 0) continue;
            linked_.cut(0);
            for (std::size_t t = 0; t < p_->terms.size(); ++t) linked_.push(none);
            depth_ = 0;
            captured_[slot] = times(p_->root, slot);
        }
        depth_ = 0;
    }
    /// How many holes a match of a term has to fill: 0, 1, or 2 for more.
    constexpr std::uint32_t holes(term_id number) {
        if (depth_ >= limits_.depth || ++visits_ > limits_.visits) return 2;
        const pattern_term& t = p_->terms[number];
        if (t.kind == term_kind::hole) return 1;
        if (t.kind == term_kind::reference) return 0;
        ++depth_;
        std::uint32_t made = 0;
        for (std::uint32_t i = 0; i < t.count && made < 2; ++i) {
            // The holes of a step inside are not these.
            if (t.kind == term_kind::repeat && i == 0) continue;
            std::uint32_t child = holes(p_->links[t.first + i]);
            if (t.kind == term_kind::repeat && t.most > 1 && child != 0) child *= holes(p_->links[t.first]) > 1 ? 2 : 1;
            if (t.kind == term_kind::either)
                made = made < child ? child : made;
            else
                made += child;
        }
        --depth_;
        return made > 2 ? 2 : made;
    }
    /// How often a match of a term binds the slot: 0, 1, or 2 for more. What refers to itself does so more often.
    constexpr std::uint32_t times(term_id number, std::uint32_t slot) {
        constexpr std::uint32_t open = none - 1;
        if (linked_[number] == open) return 0;
        if (linked_[number] != none) return linked_[number];
        if (depth_ >= limits_.depth) return 2;
        ++depth_;
        linked_[number] = open;
        const pattern_term& t = p_->terms[number];
        std::uint32_t made = t.kind == term_kind::capture && t.place == slot ? 1 : 0;
        for (std::uint32_t i = 0; i < t.count; ++i) {
            std::uint32_t child = times(p_->links[t.first + i], slot);
            if (t.kind == term_kind::reference) child *= 2;
            if (t.kind == term_kind::repeat && t.most > 1 && (i == 0 || holes(p_->links[t.first]) > 1)) child *= 2;
            if (t.kind == term_kind::either)
                made = made < child ? child : made;
            else
                made += child;
        }
        made = made > 2 ? 2 : made;
        linked_[number] = made;
        --depth_;
        return made;
    }

    unfolding_limits limits_;
    detail::plain_list<sub_pattern> forms_;
    detail::plain_list<std::uint32_t> links_;
    detail::plain_list<std::string_view> names_;
    detail::plain_list<node_question> guards_;
    detail::plain_list<reduced_pattern> reduced_;
    detail::number_hash form_hash_, name_hash_, guard_hash_;

    // Of the pattern at hand.
    const pattern_view* p_ = nullptr;
    detail::plain_list<answer> written_;             // by term, where no hole is open
    detail::plain_list<definition> definitions_;
    detail::plain_list<std::uint32_t> pending_, linked_, captured_;
    std::uint32_t visits_ = 0, depth_ = 0, nodes_ = 0, open_ = 0;
};

}  // namespace inlay

#endif
