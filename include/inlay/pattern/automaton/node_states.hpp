// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_AUTOMATON_NODE_STATES_HPP
#define INLAY_PATTERN_AUTOMATON_NODE_STATES_HPP

#include <cstddef>
#include <cstdint>
#include <span>

#include <inlay/core/plain_list.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/pattern/automaton/interned_lists.hpp>
#include <inlay/pattern/automaton/live_sub_patterns.hpp>
#include <inlay/pattern/automaton/node_symbols.hpp>

namespace inlay {

/// The number of a state: a set of sub-patterns that hold at a node, restricted to those that patterns or users of the node ask for. 0: the
/// node has no state yet.
using state_id = std::uint32_t;

/// Computes a node's state from its symbol and its operands' states, operand by operand, and numbers these things:
///
/// - operator: a node kind and a name, as far as patterns name it;
/// - head: an operator and a number of operands, as far as patterns tell them apart;
/// - symbol: a head, and which of the guards that matter there hold;
/// - row: a symbol, and what the operands so far have left of each sub-pattern that waits for operands;
/// - class: what of an operand's state matters at a place (the projection) of a symbol.
///
/// Everything is computed on first use and stored, so that each step is computed once. Numbers depend on the order of use, what they stand
/// for does not.
class node_states {
public:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;
    /// Stands for states beyond the most that are numbered: every pattern may match. Who uses this class truncates all patterns before
    /// that.
    static constexpr state_id any_state = 1;
    static constexpr state_id most_states = 0xFFFF;
    static constexpr std::uint32_t no_hit = 0xFFFF'FFFFu, several_hits = 0xFFFF'FFFEu;

    explicit node_states(const sub_pattern_view& from) : set_(from) {
        const std::uint32_t nothing[] = {none};
        (void)states_.number_of(nothing);  // 0: no state yet
        accepted_.push_back({});
        hits_.push_back(no_hit);
        const std::uint32_t whatever[] = {none, none};
        (void)states_.number_of(whatever);
        accepted_.push_back({});
        for (std::uint32_t p = 0; p < set_.patterns().size(); ++p) accepted_.back().push_back(2 * p);
        hits_.push_back(several_hits);
        value_.assign(set_.forms().size(), 0);
    }

    /// The sub-patterns, of which truncating makes more.
    [[nodiscard]] const live_sub_patterns& set() const { return set_; }
    /// The number of operands from which on patterns tell no difference.
    [[nodiscard]] std::uint32_t arity_bound(std::uint32_t op) { return set_.arity_bound(op); }

    [[nodiscard]] std::uint32_t head_of(std::uint32_t op, std::uint32_t arity) { return symbols_.head_of(set_, op, arity); }
    /// The guards that matter at a head, ascending.
    [[nodiscard]] std::span<const std::uint32_t> guards_of(std::uint32_t head) const { return symbols_.guards_of(head); }

    /// The symbol of a node of this head at which these of its guards hold, ascending.
    [[nodiscard]] std::uint32_t symbol_of(std::uint32_t head, std::span<const std::uint32_t> guards) {
        const std::uint32_t number = symbols_.symbol_of(set_, head, guards);
        if (number == starts_.size()) starts_.push_back(start_of(number));
        return number;
    }
    [[nodiscard]] const node_symbol& at(std::uint32_t symbol) const { return symbols_[symbol]; }
    [[nodiscard]] std::uint32_t symbols() const { return symbols_.size(); }
    /// The row of a symbol before its first operand.
    [[nodiscard]] std::uint32_t start(std::uint32_t symbol) const { return starts_[symbol]; }

    /// The class of a state at a projection; `column_of` numbers a projection's classes from 1.
    [[nodiscard]] std::uint32_t class_of(std::uint32_t projection, state_id s) {
        while (classes_of_.size() < symbols_.projections()) classes_of_.push_back({});
        plain_list<std::uint32_t>& known = classes_of_[projection];
        if (s >= known.size()) known.resize(states_.size(), none);
        if (known[s] == none) known[s] = new_class(projection, s);
        return known[s];
    }
    [[nodiscard]] std::uint32_t column_of(std::uint32_t of_class) const { return columns_[of_class]; }

    /// The row behind one operand more of that class. In a long segment it stays there until it is told to `leave`.
    [[nodiscard]] std::uint32_t step(std::uint32_t row, std::uint32_t of_class) {
        const std::uint32_t key[] = {row, of_class};
        const std::uint32_t number = step_keys_.number_of(key);
        if (number == steps_.size()) steps_.push_back(new_step(row, of_class));
        return steps_[number];
    }
    [[nodiscard]] std::uint32_t leave(std::uint32_t row) {
        scratch_.assign(rows_[row]);
        ++scratch_[1];
        return new_row();
    }
    /// What is asked for at the place that a row, which is not finished, waits for.
    [[nodiscard]] std::uint32_t projection_behind(std::uint32_t row) const {
        const std::span<const std::uint32_t> content = rows_[row];
        const plain_list<symbol_segment>& segments = symbols_[content[0]].segments;
        return content[1] < segments.size() ? segments[content[1]].projection : none;
    }
    /// The state of a node when all operands have been looked at.
    [[nodiscard]] state_id finish(std::uint32_t row) {
        if (row_states_[row] == 0) row_states_[row] = new_state(row);
        return row_states_[row];
    }

    /// The class of a node at a projection from what holds there: `is_held(s)` for each sub-pattern that is asked for; `none` where that
    /// is 2 for one, which stands for unknown.
    template <class IsHeld>
    [[nodiscard]] std::uint32_t class_from(std::uint32_t projection, IsHeld&& is_held) {
        plain_list<std::uint32_t> list;
        list.push_back(projection);
        for (const sub_pattern_id s : symbols_.projected(projection)) {
            const int held = is_held(s);
            if (held > 1) return none;
            if (held == 1) list.push_back(s);
        }
        return class_number(projection, list.all());
    }

    /// The state of a node: `class_at(projection, i)` is the class of operand i. 0 where one is `none`.
    template <class ClassAt>
    [[nodiscard]] state_id fold(std::uint32_t number, std::uint32_t arity, ClassAt&& class_at) {
        std::uint32_t row = starts_[number];
        for (std::size_t k = 0; k < symbols_[number].segments.size(); ++k) {
            const symbol_segment s = symbols_[number].segments[k];
            const std::uint32_t first = s.from_end ? arity - s.from : s.from;
            const std::uint32_t last = s.from_end ? first + 1 : s.to < arity ? s.to : arity;
            for (std::uint32_t i = first; i < last; ++i) {
                const std::uint32_t operand = class_at(s.projection, i);
                if (operand == none) return 0;
                row = step(row, operand);
            }
            if (s.is_long()) row = leave(row);
        }
        return finish(row);
    }

    [[nodiscard]] std::uint32_t states() const { return states_.size(); }
    /// Which patterns may match at a node in this state, ascending: the pattern's number times 2, and 1 if it matches for certain.
    [[nodiscard]] std::span<const std::uint32_t> accepted(state_id s) const { return accepted_[s].all(); }
    /// The same by state in one number each: what is accepted where that is one, else `no_hit` or `several_hits`.
    [[nodiscard]] const std::uint32_t* hits() const { return hits_.data(); }
    /// Whether states tell if a sub-pattern holds: those that stand below nodes, and roots. Not of states from before patterns were
    /// truncated.
    [[nodiscard]] bool is_asked_for(sub_pattern_id s) const { return set_.is_visible(s); }
    /// The sub-patterns that hold in a state, of those that are asked for, ascending; behind them, beyond all numbers, may stand a mark.
    [[nodiscard]] std::span<const std::uint32_t> holding(state_id s) const { return states_[s]; }

    /// What is kept but for states, and of states, in numbers.
    [[nodiscard]] std::size_t weight() const { return symbols_.weight() + class_keys_.weight() + rows_.weight() + step_keys_.weight(); }
    [[nodiscard]] std::size_t state_weight() const { return states_.weight() + accepted_count_; }

    /// From now on these patterns are taken to match wherever their root alone would: all that they ask of operands and guards is dropped.
    /// States stay what they are; operators, heads, symbols, rows and classes have new numbers.
    void truncate(std::span<const std::uint32_t> patterns) {
        ++round_;
        set_.truncate(patterns);
        value_.assign(set_.forms().size(), 0);
        for (interned_lists* list : {&class_keys_, &rows_, &step_keys_}) list->clear();
        symbols_.clear();
        for (plain_list<std::uint32_t>* list : {&starts_, &columns_, &class_counts_, &steps_, &row_states_}) list->clear();
        classes_of_.clear();
    }

private:
    using form = sub_pattern::form;

    /// The row of a symbol whose operands have not been looked at.
    std::uint32_t start_of(std::uint32_t symbol) {
        const node_symbol& l = symbols_[symbol];
        scratch_.clear();
        scratch_.push_back(symbol);
        scratch_.push_back(0);
        for (std::uint32_t i = 0; i < l.waiting.size(); ++i) {
            const bool many = set_[l.waiting[i]].unordered;
            scratch_.push_back(2 * i + (many ? 1 : 0));
            if (many) push_sets(1);  // no child has an operand
        }
        return new_row();
    }
    void push_sets(std::uint64_t sets) {
        scratch_.push_back(static_cast<std::uint32_t>(sets));
        scratch_.push_back(static_cast<std::uint32_t>(sets >> 32));
    }

    std::uint32_t new_class(std::uint32_t projection, state_id s) {
        scratch_.assign(1, projection);
        const std::span<const std::uint32_t> wanted = symbols_.projected(projection), found = states_[s];
        for (std::size_t i = 0, j = 0; i < wanted.size() && j < found.size();) {
            if (wanted[i] == found[j]) scratch_.push_back(wanted[i]);
            if (wanted[i] < found[j])
                ++i;
            else if (wanted[i] > found[j])
                ++j;
            else
                ++i, ++j;
        }
        return class_number(projection, scratch_.all());
    }
    std::uint32_t class_number(std::uint32_t projection, std::span<const std::uint32_t> key) {
        const std::uint32_t number = class_keys_.number_of(key);
        if (class_counts_.size() <= projection) class_counts_.resize(projection + 1);
        if (number == columns_.size()) columns_.push_back(++class_counts_[projection]);
        return number;
    }

    /// The row that `scratch_` tells: symbol, segment, and for each node that still may hold its place among those that wait, times 2, and
    /// where it is unordered 1 more, followed by the sets of children that may have their operands, in 64 bits.
    std::uint32_t new_row() {
        const std::uint32_t number = rows_.number_of(scratch_.all());
        if (number == row_states_.size()) row_states_.push_back(0);
        return number;
    }

    std::uint32_t new_step(std::uint32_t row, std::uint32_t of_class) {
        const std::span<const std::uint32_t> held = class_keys_[of_class];
        for (const std::uint32_t s : held.subspan(1)) value_[s] = 1;
        value_[sub_pattern_view::always] = 1;
        const plain_list<std::uint32_t> before(rows_[row]);
        const node_symbol& l = symbols_[before[0]];
        const symbol_segment here = l.segments[before[1]];
        scratch_.assign(1, before[0]);
        scratch_.push_back(before[1] + (here.is_long() ? 0 : 1));
        for (std::size_t i = 2; i < before.size(); ++i) {
            const sub_pattern_id s = l.waiting[before[i] / 2];
            const sub_pattern& f = set_[s];
            if (!f.unordered) {
                const bool other_end = node_symbols::behind_parameters(f) != here.from_end;
                const std::uint32_t child = here.from_end ? f.arity - here.from : here.from;
                if (other_end || child >= f.count || value_[set_.children(s)[child]] != 0) scratch_.push_back(before[i]);
                continue;
            }
            std::uint64_t sets = before[i + 1] | std::uint64_t{before[i + 2]} << 32;
            if (!here.from_end && here.from < f.most) sets = with_operand(s, sets);
            scratch_.push_back(before[i]);
            push_sets(sets);
            i += 2;
        }
        for (const std::uint32_t s : held.subspan(1)) value_[s] = 0;
        value_[sub_pattern_view::always] = 0;
        return new_row();
    }
    /// The sets of an unordered node's children that may have operands when one more comes, at which `value_` tells who holds. Of many
    /// children it is only known which have found some operand.
    [[nodiscard]] std::uint64_t with_operand(sub_pattern_id s, std::uint64_t sets) const {
        std::uint64_t made = sets;
        const std::span<const std::uint32_t> wanted = set_.children(s);
        for (std::uint32_t c = 0; c < wanted.size() && c < 63; ++c) {
            if (value_[wanted[c]] == 0) continue;
            if (wanted.size() > 6) {
                made |= std::uint64_t{2} << c;
                continue;
            }
            const std::uint32_t bit = 1u << c;
            for (std::uint32_t set = 0; set < (1u << wanted.size()); ++set)
                if ((sets >> set & 1) != 0 && (set & bit) == 0) made |= std::uint64_t{1} << (set | bit);
        }
        return made;
    }
    [[nodiscard]] static bool is_complete(const sub_pattern& f, std::uint64_t sets) {
        if (f.count <= 6) return (sets >> ((1u << f.count) - 1) & 1) != 0;
        const std::uint32_t known = f.count < 63 ? f.count : 63;
        const std::uint64_t wanted = ((std::uint64_t{1} << known) - 1) << 1;
        return (sets & wanted) == wanted;
    }

    state_id new_state(std::uint32_t row) {
        const std::span<const std::uint32_t> content = rows_[row];
        const node_symbol& l = symbols_[content[0]];
        plain_list<sub_pattern_id> held(l.sure);
        for (std::size_t i = 2; i < content.size(); ++i) {
            const sub_pattern_id s = l.waiting[content[i] / 2];
            if (!set_[s].unordered) {
                held.push_back(s);
                continue;
            }
            if (is_complete(set_[s], content[i + 1] | std::uint64_t{content[i + 2]} << 32)) held.push_back(s);
            i += 2;
        }
        for (const sub_pattern_id s : held) value_[s] = 1;
        for (const sub_pattern_id s : set_.order()) {
            const sub_pattern& f = set_[s];
            if (f.kind == form::node) continue;
            if (f.kind == form::guard) {
                value_[s] = sorted_has(l.guards, f.guard);
                continue;
            }
            bool every = true, some = false;
            for (const sub_pattern_id c : set_.children(s)) {
                every = every && value_[c] != 0;
                some = some || value_[c] != 0;
            }
            value_[s] = f.kind == form::no ? !some : f.kind == form::both ? every : some;
        }
        scratch_.clear();
        for (const sub_pattern_id s : set_.visible())
            if (value_[s] != 0) scratch_.push_back(s);
        for (const sub_pattern_id s : held) value_[s] = 0;
        for (const sub_pattern_id s : set_.order()) value_[s] = 0;
        // The same set may stand for other patterns since patterns were truncated.
        if (round_ != 0) scratch_.push_back(none - 1 - round_);
        const state_id number = states_.number_of(scratch_.all());
        if (round_ != 0) scratch_.pop_back();
        if (number > most_states) return any_state;
        if (number == accepted_.size()) {
            accepted_.push_back(plain_list<std::uint32_t>(set_.accepted_anywhere()));
            for (const sub_pattern_id s : scratch_) accepted_.back().append(set_.accepted_at(s));
            sort_unique(accepted_.back());
            const plain_list<std::uint32_t>& accepted = accepted_.back();
            hits_.push_back(accepted.empty() ? no_hit : accepted.size() == 1 ? accepted[0] : several_hits);
            accepted_count_ += accepted.size();
        }
        return number;
    }

    live_sub_patterns set_;
    node_symbols symbols_;
    plain_list<std::uint32_t> starts_;  // by symbol
    interned_lists class_keys_, rows_, step_keys_, states_;
    plain_list<plain_list<std::uint32_t>> classes_of_;  // by projection and state
    plain_list<std::uint32_t> columns_, class_counts_, steps_, row_states_;
    plain_list<plain_list<std::uint32_t>> accepted_;
    plain_list<std::uint32_t> hits_;
    std::size_t accepted_count_ = 0;

    std::uint32_t round_ = 0;  // of truncating
    plain_list<std::uint32_t> scratch_;
    plain_list<char> value_;
};

}  // namespace inlay

#endif
