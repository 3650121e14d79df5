// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_AUTOMATON_AUTOMATON_HPP
#define INLAY_PATTERN_AUTOMATON_AUTOMATON_HPP

// Many patterns at all nodes in one pass
// ======================================
//
// A matcher looks for one pattern at one node. A compiler has hundreds of patterns, and asks for all of them at all nodes. This folder does
// what tree pattern matching does since Hoffmann and O'Donnell ("Pattern matching in trees", Journal of the ACM 29(1), 1982): a bottom-up
// tree automaton visits each node once, operands first, and gives it a *state*. The state says which sub-patterns hold at the node, and
// so which patterns match there. It follows from the node's *symbol* and the states of its operands alone.
//
// Symbols. The symbol of a node is what the patterns can tell of the node without its operands: operator or kind, number of operands, and
// which guards on attributes and types hold (`node_symbols.hpp`). A *head* is a symbol before its guards are evaluated. Guards that no
// pattern asks of this operator are not evaluated.
//
// Sub-patterns. The patterns of a set are taken apart into sub-patterns, and equal ones are kept once (`sub_patterns.hpp`, at compile time
// `static_sub_patterns.hpp`). Repetitions and recursion are unfolded or become loops, within `unfolding_limits.hpp`. A state is a set of
// live sub-patterns, those that something asks for: `live_sub_patterns.hpp` says which they are. What an automaton cannot know, a
// capture that stands twice, a dominator, a custom matcher, is taken to hold, and the pattern is then not `exact`: a matcher has to verify
// it.
//
// States are made on demand. The full table of an automaton has a row for each tuple of states, which is far too many; most of them never
// occur. The automata of BURS code generators (Pelegri-Llopart and Graham, "Optimal code generation for expression trees: an application of
// BURS theory", POPL 1988) were built whole; Ertl, Casey and Gregg make their states on demand ("Fast and flexible instruction selection
// with on-demand tree-parsing automata", PLDI 2006), as the DFA of re2 does for regular expressions. Here too a transition is worked out
// when the first node needs it, by `node_states.hpp`, and looked up afterwards.
//
// Tables are compressed as Chase does it ("An improvement to bottom-up tree pattern matching", POPL 1987): of an operand's state only its
// *projection* matters, the sub-patterns that this symbol asks of this operand, and states with equal projections fall in one class. A node
// of at most two operands that matter is looked up directly in this file's tables: `rows()` by symbol and state of the first operand,
// `columns()` by state of the second, `cells()` for the result; three reads. Other nodes step through `node_states.hpp`, operand by
// operand. All three tables are caches: an entry of 0 means that it is not filled in.
//
// Limits and fallback. `automaton_limits` bounds the tables. When they would outgrow it, the automaton truncates the patterns with the most
// sub-patterns: a truncated pattern is accepted wherever its root's operator stands, and a matcher has to verify it. States stay valid;
// heads and symbols get new numbers, and `generation()` changes. In the worst case all patterns are truncated, and what is left is an index
// by operator. What is found in the end is the same in all cases.
//
// The files, from patterns to labels:
//
//     unfolding_limits       how far repetitions and recursion are unfolded
//     sub_pattern            one sub-pattern, and the set of them as a view
//     sub_pattern_store      sub-patterns that are equal are kept once
//     sub_patterns           takes patterns apart, at run time or in a constant expression
//     static_sub_patterns    the same for patterns that are types, as constants
//     same_question          whether two guards ask the same
//     live_sub_patterns      which sub-patterns are asked for where; changes when patterns are truncated
//     interned_lists         lists of numbers, each kept once under a number
//     node_symbols           symbols, and what each asks of its operands
//     node_states            states and the steps between them, worked out on first use
//     automaton              the direct tables over these, limits, truncation
//     node_queue             nodes that still need a state when nodes change
//     sub_pattern_check      whether a sub-pattern holds at a node that has no state
//     name_index             a cache from operators' names to numbers
//     label                  gives the nodes of a graph their states, and again after changes

#include <cstddef>
#include <cstdint>
#include <span>

#include <inlay/core/plain_list.hpp>
#include <inlay/pattern/automaton/node_states.hpp>

namespace inlay {

struct automaton_limits {
    /// Numbers in all tables together. What states take is left out anew each time that patterns had to be truncated. Beyond 32,768
    /// states all patterns are truncated whatever stands here.
    std::size_t entries = std::size_t{1} << 16;
};

/// One bottom-up automaton for a set of patterns; see the top of this file. What the inventory shows has to outlive it. Labelling fills it:
/// one thread at a time; a copy is independent.
class automaton {
public:
    explicit automaton(const sub_pattern_view& patterns, automaton_limits limits = {})
        : states_(patterns), questions_(patterns.guards), limits_(limits), truncated_(patterns.patterns.size()) {
        lay_out();
    }

    /// Which patterns may match at a node in this state, ascending: `use(pattern, exact)`; `exact`: it matches for certain.
    template <class Use>
    void for_each_accepted(state_id s, Use&& use) const {
        for (const std::uint32_t entry : states_.accepted(s)) use(entry / 2, (entry & 1) != 0);
    }
    /// The same, undivided: the pattern's number times 2, and 1 if it matches for certain.
    [[nodiscard]] std::span<const std::uint32_t> accepted(state_id s) const { return states_.accepted(s); }

    [[nodiscard]] std::span<const reduced_pattern> patterns() const { return states_.set().patterns(); }
    /// Whether a pattern was truncated, so that the matcher is asked at every node with its root's operator.
    [[nodiscard]] bool is_truncated(std::size_t pattern) const { return truncated_[pattern] != 0; }
    [[nodiscard]] std::uint32_t states() const { return states_.states(); }
    /// Numbers in all tables but the states.
    [[nodiscard]] std::size_t entries() const { return states_.weight() + rows_.size() + columns_.size() + cells_.size(); }

    // What labelling asks.

    /// How a symbol is looked up: `rows()[row + state of operand first]` + `columns()[column + state of operand second]` is the place of
    /// the state among `cells()`; 0 where it is not filled in yet. Operands that are not asked for may have any state, or none.
    struct direct_symbol {
        std::uint32_t row = 0, column = 0;
        std::uint32_t reads = 0;  // all bits where operands are asked for, else none
        std::uint8_t first = 0, second = 0, operands = 0;
        bool is_direct = false;  // else always 0
    };
    /// Heads with fewer operands than this have a place of their own in `heads()`.
    static constexpr std::uint32_t arities = 8;
    static constexpr std::uint32_t unknown = 0, ready = 1, guarded = 2;

    [[nodiscard]] const std::uint16_t* rows() const { return rows_.data(); }
    [[nodiscard]] const std::uint16_t* columns() const { return columns_.data(); }
    [[nodiscard]] const std::uint16_t* cells() const { return cells_.data(); }
    [[nodiscard]] const direct_symbol* symbols() const { return symbols_.data(); }
    /// By operator times `arities` and number of operands: a symbol times 4 and `ready`, a head times 4 and `guarded`, or
    /// `unknown`.
    [[nodiscard]] const std::uint32_t* heads() const { return heads_.data(); }
    /// Changes when symbols and heads have new numbers.
    [[nodiscard]] std::uint32_t generation() const { return generation_; }

    [[nodiscard]] node_states& detailed() { return states_; }
    [[nodiscard]] const node_states& detailed() const { return states_; }
    [[nodiscard]] const node_question& question(std::uint32_t guard) const { return questions_[guard]; }
    /// The sub-patterns; good until patterns are truncated.
    [[nodiscard]] sub_pattern_view sub_patterns() const {
        const live_sub_patterns& set = states_.set();
        return {set.forms(), set.links(), set.names(), questions_.all(), set.patterns()};
    }

    /// What `heads()` says of a head, worked out if need be.
    std::uint32_t head(std::uint32_t op, std::uint32_t arity) {
        const std::uint32_t bound = states_.arity_bound(op);
        if (arity + 1 < arities || bound < arities) {
            const std::uint32_t at = op * arities + (arity < arities ? arity : arities - 1);
            if (heads_[at] == unknown) heads_[at] = new_head(op, arity);
            return heads_[at];
        }
        return new_head(op, arity);
    }
    /// The symbol of a head with guards at which these hold, ascending.
    std::uint32_t symbol(std::uint32_t head, std::span<const std::uint32_t> guards) {
        const std::uint32_t number = states_.symbol_of(head, guards);
        while (symbols_.size() < states_.symbols()) place_symbol(static_cast<std::uint32_t>(symbols_.size()));
        return number;
    }

    /// Sees to it that all states that there are can be looked up.
    void make_room() {
        if (states_.states() > state_room_) lay_out_wider();
    }
    /// Fills in that a node of the direct symbol, over operands of these states, has this state.
    void fill(std::uint32_t symbol, state_id first, state_id second, state_id made) {
        const direct_symbol l = symbols_[symbol];
        if (l.operands == 0)
            for (std::uint32_t s = 0; s < state_room_; ++s) rows_[l.row + s] = cell_of(made);
        if (l.operands == 1) rows_[l.row + first] = cell_of(made);
        if (l.operands < 2) return;
        const node_symbol& detail = states_.at(symbol);
        const std::uint32_t row = states_.step(states_.start(symbol), states_.class_of(detail.segments[0].projection, first));
        const std::uint32_t projection = detail.segments[1].projection;
        const std::uint32_t column = states_.column_of(states_.class_of(projection, second));
        if (column >= column_room_[projection]) widen_columns(projection, column);
        if (exhausted_) return;
        if (row >= cell_rows_.size()) cell_rows_.resize(row + 1, 0);
        if (cell_rows_[row] == 0) cell_rows_[row] = new_cells(column_room_[projection]);
        if (cell_rows_[row] == 0) return;
        rows_[l.row + first] = cell_rows_[row];
        columns_[l.column + second] = static_cast<std::uint16_t>(column);
        cells_[cell_rows_[row] + column] = static_cast<std::uint16_t>(made);
    }

    /// Truncates patterns if the tables are too large. Whether it did.
    bool keep_limits() {
        const bool many_states = states_.states() > most_states;
        if (!exhausted_ && !many_states && entries() + states_.state_weight() - kept_ <= limits_.entries) return false;
        plain_list<std::uint64_t> by_size;  // and by number, the first last
        std::size_t all = 0;
        for (std::uint32_t p = 0; p < truncated_.size(); ++p) {
            if (truncated_[p] != 0) continue;
            const std::size_t nodes = states_.set().nodes_of(p);
            by_size.push_back(std::uint64_t{nodes} << 32 | ~p);
            all += nodes;
        }
        if (by_size.empty()) return false;
        sort_from(by_size, 0);
        plain_list<std::uint32_t> chosen;
        for (std::size_t gone = 0; !by_size.empty() && (many_states || 2 * gone <= all); by_size.pop_back()) {
            gone += by_size.back() >> 32;
            chosen.push_back(~static_cast<std::uint32_t>(by_size.back()));
            truncated_[chosen.back()] = 1;
        }
        states_.truncate(chosen.all());
        lay_out();
        return true;
    }

private:
    static constexpr std::uint32_t nothing_room = 1024;  // columns of a row that is not filled in
    static constexpr std::size_t most = 0xFFFF;
    static constexpr std::uint32_t most_states = 0x8000;

    std::uint32_t new_head(std::uint32_t op, std::uint32_t arity) {
        const std::uint32_t head = states_.head_of(op, arity);
        if (!states_.guards_of(head).empty()) return head * 4 + guarded;
        return symbol(head, {}) * 4 + ready;
    }

    /// Empty tables for all states that there are.
    void lay_out() {
        ++generation_;
        exhausted_ = false;
        kept_ = states_.state_weight();
        while (state_room_ < states_.states() + 1) state_room_ *= 2;
        heads_.assign(states_.set().operators() * arities, unknown);
        symbols_.clear();
        rows_.assign(state_room_, 0);
        columns_.assign(state_room_, 0);
        cells_.assign(nothing_room, 0);
        cell_rows_.clear();
        column_room_.clear();
        column_places_.clear();
        state_cells_.clear();
    }
    /// The same tables, with room for more states. All stretches of rows and columns are as long as there is room for states.
    void lay_out_wider() {
        const std::uint32_t before = state_room_;
        while (state_room_ < states_.states() + 1) state_room_ *= 2;
        widen(rows_, before);
        widen(columns_, before);
        const std::uint32_t times = state_room_ / before;
        for (std::uint32_t& place : column_places_) place *= times;
        for (direct_symbol& l : symbols_) {
            l.row *= times;
            l.column *= times;
            if (l.is_direct && l.operands == 0)
                for (std::uint32_t s = before; s < state_room_; ++s) rows_[l.row + s] = rows_[l.row];
        }
    }
    void widen(plain_list<std::uint16_t>& table, std::uint32_t before) const {
        plain_list<std::uint16_t> wider(table.size() / before * state_room_);
        for (std::size_t i = 0; i < table.size(); ++i) wider[i / before * state_room_ + i % before] = table[i];
        table.swap(wider);
    }
    std::uint32_t room_for_states(plain_list<std::uint16_t>& table) const {
        const auto place = static_cast<std::uint32_t>(table.size());
        table.resize(table.size() + state_room_, 0);
        return place;
    }
    void place_symbol(std::uint32_t number) {
        const plain_list<symbol_segment>& segments = states_.at(number).segments;
        direct_symbol l;
        l.is_direct = segments.size() <= 2;
        for (const symbol_segment& s : segments) l.is_direct = l.is_direct && !s.is_long() && !s.from_end && s.from < 256;
        if (l.is_direct) {
            l.operands = static_cast<std::uint8_t>(segments.size());
            l.reads = l.operands == 0 ? 0 : ~std::uint32_t{0};
            if (l.operands > 0) l.first = static_cast<std::uint8_t>(segments[0].from);
            if (l.operands > 1) {
                l.second = static_cast<std::uint8_t>(segments[1].from);
                const std::uint32_t projection = segments[1].projection;
                if (projection >= column_places_.size()) {
                    column_places_.resize(projection + 1, 0);
                    column_room_.resize(projection + 1, 4);
                }
                if (column_places_[projection] == 0) column_places_[projection] = room_for_states(columns_);
                l.column = column_places_[projection];
            }
            l.row = room_for_states(rows_);
        }
        symbols_.push_back(l);
    }
    /// Rows of cells over this projection are too short from now on: they are filled anew, as they are needed.
    void widen_columns(std::uint32_t projection, std::uint32_t column) {
        while (column_room_[projection] <= column) column_room_[projection] *= 2;
        if (column_room_[projection] > nothing_room) exhausted_ = true;
        for (std::uint32_t n = 0; n < symbols_.size(); ++n) {
            const direct_symbol& l = symbols_[n];
            if (!l.is_direct || l.operands != 2 || states_.at(n).segments[1].projection != projection) continue;
            for (std::uint32_t s = 0; s < state_room_; ++s) rows_[l.row + s] = 0;
        }
        for (std::uint32_t row = 0; row < cell_rows_.size(); ++row)
            if (cell_rows_[row] != 0 && states_.projection_behind(row) == projection) cell_rows_[row] = 0;
    }
    /// Cells side by side; 0 where there is no room.
    std::uint16_t new_cells(std::uint32_t count) {
        if (exhausted_ || cells_.size() + count > most) {
            exhausted_ = true;
            return 0;
        }
        const auto place = static_cast<std::uint16_t>(cells_.size());
        cells_.resize(cells_.size() + count, 0);
        return place;
    }
    std::uint16_t cell_of(state_id s) {
        if (s >= state_cells_.size()) state_cells_.resize(s + 1, 0);
        if (state_cells_[s] == 0) {
            state_cells_[s] = new_cells(1);
            if (state_cells_[s] != 0) cells_[state_cells_[s]] = static_cast<std::uint16_t>(s);
        }
        return state_cells_[s];
    }

    node_states states_;
    plain_list<node_question> questions_;
    automaton_limits limits_;
    plain_list<char> truncated_;

    plain_list<std::uint32_t> heads_;
    plain_list<direct_symbol> symbols_;
    plain_list<std::uint16_t> rows_;           // by symbol and state of the first operand: where its cells begin
    plain_list<std::uint16_t> columns_;        // by projection and state: the class of the second operand
    plain_list<std::uint16_t> cells_;          // states
    plain_list<std::uint16_t> cell_rows_;      // by row of `states_`: where its cells begin
    plain_list<std::uint16_t> state_cells_;    // by state: a cell with it
    plain_list<std::uint32_t> column_places_;  // by projection
    plain_list<std::uint32_t> column_room_;    // by projection
    std::uint32_t state_room_ = 32;
    std::uint32_t generation_ = 0;
    std::size_t kept_ = 0;
    bool exhausted_ = false;
};

}  // namespace inlay

#endif
