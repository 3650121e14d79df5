// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_AUTOMATON_NODE_SYMBOLS_HPP
#define INLAY_PATTERN_AUTOMATON_NODE_SYMBOLS_HPP

#include <cstddef>
#include <cstdint>
#include <span>

#include <inlay/core/plain_list.hpp>
#include <inlay/pattern/automaton/interned_lists.hpp>
#include <inlay/pattern/automaton/live_sub_patterns.hpp>

namespace inlay {

/// Neighbouring places of a symbol at which operands are asked for the same (the projection): one place, or many that only unordered nodes
/// look at.
struct symbol_segment {
    std::uint32_t from = 0, to = 0;  // behind the last place; 0xFFFF'FFFF: as many as there are
    std::uint32_t projection = 0;
    bool from_end = false;  // of open functions: `from` places before the end

    [[nodiscard]] bool is_long() const { return !from_end && to - from > 1; }
};

/// What a node is by itself, as far as patterns tell: a head (an operator and a number of operands), and which of the guards that matter
/// there hold.
struct node_symbol {
    std::uint32_t head = 0;
    plain_list<std::uint32_t> guards;    // that hold, ascending
    plain_list<sub_pattern_id> sure;     // nodes that hold whatever the operands are
    plain_list<sub_pattern_id> waiting;  // nodes that may hold
    plain_list<symbol_segment> segments;
};

/// Numbers the heads, symbols and projections of one set of sub-patterns on first use. The set stays the same until this object is cleared.
class node_symbols {
public:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;
    static constexpr std::uint32_t tail = 0xFFFF'FFFFu;

    [[nodiscard]] std::uint32_t head_of(live_sub_patterns& set, std::uint32_t op, std::uint32_t arity) {
        const std::uint32_t bound = set.arity_bound(op);
        const std::uint32_t key[] = {op, arity < bound ? arity : bound};
        const std::uint32_t number = head_keys_.number_of(key);
        if (number == head_guards_.size()) head_guards_.push_back(guards_that_matter(set, op, key[1]));
        return number;
    }
    /// The guards that matter at a head, ascending.
    [[nodiscard]] std::span<const std::uint32_t> guards_of(std::uint32_t head) const { return head_guards_[head].all(); }

    /// The symbol of a node of this head at which these of its guards hold, ascending.
    [[nodiscard]] std::uint32_t symbol_of(live_sub_patterns& set, std::uint32_t head, std::span<const std::uint32_t> guards) {
        key_.clear();
        key_.push_back(head);
        key_.append(guards);
        const std::uint32_t number = symbol_keys_.number_of(key_.all());
        if (number == symbols_.size()) symbols_.push_back(written(set, head, guards));
        return number;
    }
    [[nodiscard]] const node_symbol& operator[](std::uint32_t symbol) const { return symbols_[symbol]; }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(symbols_.size()); }

    /// What a projection asks for, ascending.
    [[nodiscard]] std::span<const sub_pattern_id> projected(std::uint32_t projection) const { return projection_keys_[projection]; }
    [[nodiscard]] std::uint32_t projections() const { return projection_keys_.size(); }

    [[nodiscard]] std::size_t weight() const { return head_keys_.weight() + symbol_keys_.weight() + segment_count_; }
    void clear() {
        head_keys_.clear();
        symbol_keys_.clear();
        projection_keys_.clear();
        head_guards_.clear();
        symbols_.clear();
        segment_count_ = 0;
    }

    /// Whether a node's children stand behind the parameters, counted from the end.
    static bool behind_parameters(const sub_pattern& f) { return f.node == node_kind::function && f.open && !f.unordered; }

private:
    using form = sub_pattern::form;

    /// A place and what is asked for there, in an order.
    static std::uint64_t packed(std::uint32_t place, sub_pattern_id s) { return std::uint64_t{place} << 32 | s; }
    static std::uint32_t place_in(std::uint64_t at) { return static_cast<std::uint32_t>(at >> 32); }

    static bool takes_arity(const sub_pattern& f, std::uint32_t arity) { return f.open ? arity >= f.arity : arity == f.arity; }

    /// Which guards may decide about what is asked for, where the nodes of an operator alone may hold.
    [[nodiscard]] static plain_list<std::uint32_t> guards_that_matter(live_sub_patterns& set, std::uint32_t op, std::uint32_t arity) {
        enum : char { no, yes, maybe };
        plain_list<char> value(set.forms().size());
        plain_list<std::uint32_t> guards;
        bool some_guard = false;
        for (const sub_pattern_id s : set.order()) some_guard = some_guard || set[s].kind == form::guard;
        if (!some_guard) return guards;
        for (const sub_pattern_id s : set.nodes_of_operator(op))
            if (takes_arity(set[s], arity)) value[s] = set[s].count == 0 ? yes : maybe;
        for (const sub_pattern_id s : set.order()) {
            const form kind = set[s].kind;
            if (kind == form::node) continue;
            bool some_maybe = kind == form::guard, some_no = false, some_yes = false;
            for (const sub_pattern_id c : set.children(s)) {
                some_maybe = some_maybe || value[c] == maybe;
                some_no = some_no || value[c] == no;
                some_yes = some_yes || value[c] == yes;
            }
            const bool is_no = (kind == form::both && some_no) || (kind == form::no && some_yes);
            const bool is_yes = (kind == form::either && some_yes) || (kind == form::no && some_no);
            value[s] = is_no ? no : is_yes ? yes : some_maybe ? maybe : kind == form::either || (kind == form::loop && some_no) ? no : yes;
        }
        plain_list<char> asked(set.forms().size());
        for (const sub_pattern_id s : set.visible()) asked[s] = value[s] == maybe;
        const std::span<const sub_pattern_id> order = set.order();
        for (std::size_t i = order.size(); i-- > 0;) {
            const sub_pattern_id s = order[i];
            if (asked[s] == 0 || set[s].kind == form::node) continue;
            if (set[s].kind == form::guard) guards.push_back(set[s].guard);
            for (const sub_pattern_id c : set.children(s)) asked[c] = asked[c] != 0 || value[c] == maybe;
        }
        sort_unique(guards);
        return guards;
    }

    [[nodiscard]] node_symbol written(live_sub_patterns& set, std::uint32_t head, std::span<const std::uint32_t> guards) {
        const std::uint32_t op = head_keys_[head][0], arity = head_keys_[head][1];
        const bool exactly = arity < set.arity_bound(op);
        node_symbol made;
        made.head = head;
        made.guards.append(guards);
        plain_list<std::uint32_t> ends;  // places at which what is asked for changes
        plain_list<std::uint64_t> singles, from_end;
        plain_list<sub_pattern_id> unordered;
        for (const sub_pattern_id s : set.nodes_of_operator(op)) {
            const sub_pattern& f = set[s];
            if (!takes_arity(f, arity)) continue;
            (f.count == 0 ? made.sure : made.waiting).push_back(s);
            if (f.unordered) {
                if (f.count != 0) unordered.push_back(s);
                ends.push_back(f.most);
                continue;
            }
            for (std::uint32_t i = 0; i < f.count; ++i) {
                const sub_pattern_id child = set.children(s)[i];
                if (child == sub_pattern_view::always) continue;
                if (behind_parameters(f)) {
                    from_end.push_back(packed(f.arity - i, child));
                } else {
                    singles.push_back(packed(i, child));
                    ends.push_back(i);
                    ends.push_back(i + 1);
                }
            }
        }
        ends.push_back(exactly ? arity : tail);
        sort_unique(ends);
        sort_unique(singles);
        sort_unique(from_end);
        std::uint32_t from = 0;
        std::size_t single = 0;
        for (std::uint32_t end : ends) {
            if (exactly && end > arity) end = arity;
            if (end <= from) continue;
            plain_list<sub_pattern_id> wanted;
            for (; single < singles.size() && place_in(singles[single]) == from; ++single)
                wanted.push_back(static_cast<sub_pattern_id>(singles[single]));
            for (const sub_pattern_id s : unordered)
                if (from < set[s].most) wanted.append(set.children(s));
            const std::uint32_t asked = projection_of(wanted);
            const bool apart = end <= arity && end - from <= 4;
            if (asked != none)
                for (std::uint32_t i = from; i < (apart ? end : from + 1); ++i)
                    made.segments.push_back({i, apart ? i + 1 : end, asked, false});
            from = end;
        }
        for (std::size_t i = 0; i < from_end.size();) {
            plain_list<sub_pattern_id> wanted;
            const std::uint32_t place = place_in(from_end[i]);
            for (; i < from_end.size() && place_in(from_end[i]) == place; ++i) wanted.push_back(static_cast<sub_pattern_id>(from_end[i]));
            made.segments.push_back({place, place + 1, projection_of(wanted), true});
        }
        segment_count_ += made.segments.size() + made.waiting.size();
        return made;
    }

    std::uint32_t projection_of(plain_list<sub_pattern_id>& wanted) {
        sort_unique(wanted);
        std::span<const sub_pattern_id> asked = wanted.all();
        if (!asked.empty() && asked[0] == sub_pattern_view::always) asked = asked.subspan(1);
        return asked.empty() ? none : projection_keys_.number_of(asked);
    }

    interned_lists head_keys_, symbol_keys_, projection_keys_;
    plain_list<plain_list<std::uint32_t>> head_guards_;
    plain_list<node_symbol> symbols_;
    plain_list<std::uint32_t> key_;
    std::size_t segment_count_ = 0;
};

}  // namespace inlay

#endif
