// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_AUTOMATON_LABEL_HPP
#define INLAY_PATTERN_AUTOMATON_LABEL_HPP

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include <inlay/core/plain_list.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/pattern/automaton/automaton.hpp>
#include <inlay/pattern/automaton/name_index.hpp>
#include <inlay/pattern/automaton/node_queue.hpp>
#include <inlay/pattern/automaton/sub_pattern_check.hpp>

namespace inlay {

/// A graph that numbers its operators: `g.op_id(n)` is a small number, and nodes of one kind that have the same one bear the same name
/// (`name_asked_for`). Labelling asks for the name once for each.
template <class G>
concept interned_graph = graph<G> && requires(const G& g, node_id n) {
    { g.op_id(n) } -> std::convertible_to<std::uint32_t>;
};

/// The state of each node of a graph. The automaton that made them says what they mean.
class labels {
public:
    [[nodiscard]] state_id operator[](node_id n) const { return states_[n]; }
    [[nodiscard]] std::size_t size() const { return states_.size(); }

private:
    template <graph G>
    friend class labeller;

    plain_list<std::uint16_t> states_;
};

/// Labels a graph. It caches the numbers of the graph's operators, and the answers of guards by the addresses of attributes and types; the
/// graph must not change these meanwhile. Refers to the graph and the automaton.
template <graph G>
class labeller {
public:
    labeller(const G& g, automaton& a) : g_(g), a_(a) {}

    /// States of all nodes, from scratch. O(nodes and operands) once the tables are filled.
    void all(labels& l) {
        go_through(l, [](node_id, std::uint64_t) {});
    }

    /// The same, and `use(n, pattern, exact)` for each pattern that is accepted at a node, soon after the node was labelled, so that what a
    /// matcher reads is still at hand. The patterns of a node come in order and one after the other; nodes come in no order.
    template <class Use>
    void all(labels& l, Use&& use) {
        go_through(l, [&](node_id first, std::uint64_t which) {
            const std::uint16_t* const states = l.states_.data() + first;
            const std::uint32_t* const hits = a_.detailed().hits();
            // No processor predicts which nodes have a hit, so they are gathered without a branch.
            std::uint64_t hit = 0;
            const std::size_t count = g_.size() - first < block ? g_.size() - first : block;
            for (std::size_t i = 0; i < count; ++i) hit |= std::uint64_t{hits[states[i]] != node_states::no_hit} << i;
            for (hit &= which; hit != 0; hit &= hit - 1) {
                const auto i = static_cast<std::size_t>(std::countr_zero(hit));
                const auto n = static_cast<node_id>(first + i);
                const std::uint32_t one = hits[states[i]];
                if (one != node_states::several_hits)
                    use(n, one / 2, (one & 1) != 0);
                else
                    for (const std::uint32_t entry : a_.accepted(states[i])) use(n, entry / 2, (entry & 1) != 0);
            }
        });
    }

    /// The labels after nodes changed: their symbols, or their operands. Nodes that are new since count as changed. `users[n]` are the
    /// nodes that read n now. It goes up from the changed nodes and stops where a state stays what it was. O(k log k) for the k nodes it
    /// looks at.
    template <class Users>
    void changed(labels& l, const Users& users, std::span<const node_id> nodes) {
        const std::size_t size = g_.size(), before = l.size();
        l.states_.resize(size, 0);
        find_parent();
        node_queue open;
        for (const node_id n : nodes) open.push(n);
        for (std::size_t n = before; n < size; ++n) open.push(static_cast<node_id>(n));
        while (!open.empty()) {
            const node_id n = open.first();
            while (!open.empty() && open.first() == n) open.pop();
            const std::uint16_t made = state_of(l.states_.data(), n);
            if (made == l.states_[n]) continue;
            l.states_[n] = made;
            for (const node_id u : users[n]) open.push(u);
        }
    }

    /// The symbols of these nodes, their guards asked; `made[i]` is the one of node first + i. To be measured apart.
    void symbols(node_id first, node_id last, std::uint32_t* made) {
        find_parent();
        for (std::size_t n = first; n < last; n += block)
            read(static_cast<node_id>(n), last - n < block ? last - n : block, made + (n - first));
    }

private:
    static constexpr std::size_t ways = 4;
    static constexpr std::size_t block = 64;
    static constexpr std::uint32_t most_operators = 1u << 16;

    /// Labels all nodes; `done(first, which)` for each node once: first + i where bit i of `which` is set.
    template <class Done>
    void go_through(labels& l, Done&& done) {
        const std::size_t size = g_.size();
        l.states_.assign(size, 0);
        find_parent();
        std::uint16_t* const states = l.states_.data();
        const auto open = [&](std::size_t first, std::size_t count) {
            std::uint64_t made = 0;
            for (std::size_t i = 0; i < count; ++i) made |= std::uint64_t{states[first + i] == 0} << i;
            return made;
        };
        // Neighbours wait for each other's states; so distant stretches take turns, as long as they seldom ask for what is not labelled
        // yet.
        const std::size_t stretch = size / ways;
        std::size_t at = 0;
        if (stretch >= 16 * block) {
            std::size_t late = 0;
            for (; at + block <= stretch && late * 8 <= at + 8 * block; at += block) {
                node_id from[ways];
                for (std::size_t w = 0; w < ways; ++w) from[w] = static_cast<node_id>(w * stretch + at);
                const std::size_t before = late;
                late += in_turns(states, from);
                for (std::size_t w = 0; w < ways; ++w) done(from[w], before == late ? ~std::uint64_t{0} : ~open(from[w], block));
            }
        }
        for (std::size_t n = 0; n < size;) {
            while (n < size && states[n] != 0) ++n;
            const std::size_t last = n + block < size ? n + block : size;
            if (n == last) break;
            const std::uint64_t which = open(n, last - n);
            one_by_one(states, static_cast<node_id>(n), last - n, which);
            done(static_cast<node_id>(n), which);
            n = last;
        }
    }

    /// Where the tables stand, for a loop that makes no new ones.
    struct tables {
        const automaton::direct_symbol* symbols;
        const std::uint16_t *rows, *columns, *cells;

        explicit tables(const automaton& a) : symbols(a.symbols()), rows(a.rows()), columns(a.columns()), cells(a.cells()) {}
    };

    /// A node that has operands; reading these is harmless where a node has none.
    void find_parent() {
        if (generation_ != a_.generation()) forget();
        while (parent_ < g_.size() && g_.arity(parent_) == 0) ++parent_;
    }
    void forget() {
        generation_ = a_.generation();
        heads_.assign(automaton::arities, automaton::unknown);
        known_ = static_cast<std::uint32_t>(heads_.size());
        found_.clear();
        for (auto& m : met_) m = {};
    }

    /// The state of a node of that symbol if the tables have it, else 0. No processor predicts the number of operands, so there is no
    /// branch on it: operands that are not asked for are read as well.
    [[gnu::always_inline]] std::uint16_t looked_up(const tables& t, const std::uint16_t* states, node_id n, std::uint32_t symbol) const {
        const automaton::direct_symbol& l = t.symbols[symbol];
        const node_id at = (n & l.reads) | (parent_ & ~l.reads);
        const std::uint32_t row = t.rows[l.row + states[g_.operand(at, l.first)]];
        const std::uint32_t column = t.columns[l.column + states[g_.operand(at, l.second)]];
        return t.cells[row + column];
    }

    /// Labels the next block of each stretch; returns for how many nodes the tables had no entry.
    std::size_t in_turns(std::uint16_t* states, const node_id (&from)[ways]) {
        std::uint32_t symbols[ways][block];
        for (std::size_t w = 0; w < ways; ++w) read(from[w], block, symbols[w]);
        std::size_t late = 0;
        tables t(a_);
        for (std::size_t i = 0; i < block; ++i) {
            std::uint16_t made[ways];
            bool all = true;
            for (std::size_t w = 0; w < ways; ++w) {
                made[w] = looked_up(t, states, static_cast<node_id>(from[w] + i), symbols[w][i]);
                states[from[w] + i] = made[w];
                all = all && made[w] != 0;
            }
            if (all) continue;
            const std::uint32_t generation = a_.generation();
            for (std::size_t w = 0; w < ways; ++w) {
                if (made[w] != 0) continue;
                settle(states, static_cast<node_id>(from[w] + i));
                ++late;
            }
            if (generation != a_.generation())
                for (std::size_t w = 0; w < ways; ++w) read(from[w], block, symbols[w]);
            t = tables(a_);
        }
        return late;
    }
    /// Labels some of the next nodes, at most a block. What has a state keeps it: it has been told of.
    void one_by_one(std::uint16_t* states, node_id first, std::size_t count, std::uint64_t which) {
        std::uint32_t symbols[block];
        read(first, count, symbols);
        tables t(a_);
        for (std::size_t i = 0; i < count; ++i) {
            if ((which >> i & 1) == 0) continue;
            const auto n = static_cast<node_id>(first + i);
            if (parent_ != g_.size()) states[n] = looked_up(t, states, n, symbols[i]);
            if (states[n] != 0) continue;
            const std::uint32_t generation = a_.generation();
            settle(states, n);
            if (generation != a_.generation()) read(first, count, symbols);
            t = tables(a_);
        }
    }

    /// The symbols of some nodes, at most a block. Rare cases, which call functions, have a loop of their own.
    void read(node_id first, std::size_t count, std::uint32_t* made) {
        std::uint64_t rare = 0;
        if constexpr (interned_graph<G>) {
            const std::uint32_t* const heads = heads_.data();
            const std::uint32_t known = known_;
            for (std::size_t i = 0; i < count; ++i) {
                const auto n = static_cast<node_id>(first + i);
                const auto operands = static_cast<std::uint32_t>(g_.arity(n));
                const std::uint32_t arity = operands < automaton::arities ? operands : automaton::arities - 1;
                const std::uint32_t place = place_of_operator(n, kind_of(g_, n)) * automaton::arities + arity;
                const std::uint32_t head = place < known ? heads[place] : automaton::unknown;
                made[i] = head / 4;
                rare |= std::uint64_t{(head & 3) != automaton::ready} << i;
            }
        } else {
            const std::uint32_t* heads = a_.heads();
            for (std::size_t i = 0; i < count; ++i) {
                const auto n = static_cast<node_id>(first + i);
                const std::size_t operands = g_.arity(n);
                const std::size_t arity = operands < automaton::arities ? operands : automaton::arities - 1;
                const std::uint32_t head = heads[operator_of(n, kind_of(g_, n)) * automaton::arities + arity];
                made[i] = head / 4;
                rare |= std::uint64_t{(head & 3) != automaton::ready} << i;
            }
        }
        for (; rare != 0; rare &= rare - 1) {
            const auto i = static_cast<std::size_t>(std::countr_zero(rare));
            const auto n = static_cast<node_id>(first + i);
            // 0: unknown, or the first head, which is looked up once more.
            made[i] = made[i] == 0 ? symbol_of(n) : guarded_symbol(n, made[i] * 4 + automaton::guarded);
        }
    }

    /// Behind a place that is never known, kinds, and behind these operators of calls; but for numbers too large for a table.
    std::uint32_t place_of_operator(node_id n, node_kind kind) const {
        if (kind != node_kind::call) return 1 + static_cast<std::uint32_t>(kind);
        const std::uint32_t number = g_.op_id(n);
        return number < most_operators ? 17 + number : 0;
    }
    /// The number in the automaton of a node's operator.
    std::uint32_t operator_of(node_id n, node_kind kind) {
        if (!a_.detailed().set().asks_name(kind)) return a_.detailed().set().operator_of(kind, {});
        const std::string_view name = name_asked_for(g_, n, kind);
        return found_.find_or_make(name, static_cast<std::size_t>(kind), [&] { return a_.detailed().set().operator_of(kind, name); });
    }

    /// The automaton's entry for a node's head.
    std::uint32_t head_of(node_id n) {
        const node_kind kind = kind_of(g_, n);
        const std::uint32_t op = operator_of(n, kind);
        const std::size_t arity = g_.arity(n);
        const std::uint32_t head = a_.head(op, static_cast<std::uint32_t>(arity));
        if constexpr (interned_graph<G>) {
            const bool has_place = arity + 1 < automaton::arities || a_.heads()[op * automaton::arities + automaton::arities - 1] == head;
            const bool is_shared = kind == node_kind::call || !a_.detailed().set().asks_name(kind);
            const std::size_t place = place_of_operator(n, kind);
            const std::size_t at = place * automaton::arities + (arity < automaton::arities ? arity : automaton::arities - 1);
            if (has_place && is_shared && place != 0) {
                if (at >= heads_.size()) heads_.resize(2 * at + automaton::arities, automaton::unknown);
                known_ = static_cast<std::uint32_t>(heads_.size());
                heads_[at] = head;
            }
        }
        return head;
    }

    [[gnu::noinline]] std::uint32_t symbol_of(node_id n) {
        const std::uint32_t head = head_of(n);
        return (head & 3) == automaton::ready ? head / 4 : guarded_symbol(n, head);
    }
    /// The symbol of a node of a head with guards.
    [[gnu::always_inline]] std::uint32_t guarded_symbol(node_id n, std::uint32_t head) {
        // At a call guards depend on what stands at these addresses alone.
        const void* attributes = nullptr;
        const void* type = nullptr;
        bool is_known = true;
        if constexpr (requires { requires std::is_lvalue_reference_v<decltype(g_.attributes(n))>; }) attributes = &g_.attributes(n);
        if constexpr (requires { requires std::is_lvalue_reference_v<decltype(g_.type(n))>; }) type = &g_.type(n);
        if constexpr (attributed_graph<G>) is_known = attributes != nullptr && kind_of(g_, n) == node_kind::call;
        if constexpr (typed_graph<G>) is_known = is_known && type != nullptr;
        const std::hash<const void*> address;
        const std::uint64_t mixed = (std::uint64_t{address(attributes)} * 31 + address(type) + head) * 0x9E37'79B9'7F4A'7C15u;
        guarded& m = met_[mixed >> 54];
        if (is_known && m.head == head && m.attributes == attributes && m.type == type) return m.symbol;
        const std::uint32_t symbol = new_guarded_symbol(n, head);
        if (is_known) m = {head, symbol, attributes, type};
        return symbol;
    }
    [[gnu::noinline]] std::uint32_t new_guarded_symbol(node_id n, std::uint32_t head) {
        holding_.clear();
        for (const std::uint32_t guard : a_.detailed().guards_of(head / 4))
            if (holds(a_.question(guard), g_, n)) holding_.push_back(guard);
        return a_.symbol(head / 4, {holding_.data(), holding_.size()});
    }

    /// Computes the state of a node without the tables, and enters it there. For operands without a state it checks the sub-patterns that
    /// matter, down to nodes that have a state; 0 where that takes too long.
    std::uint16_t worked_out(const std::uint16_t* states, node_id n) {
        if (generation_ != a_.generation()) forget();
        node_states& detail = a_.detailed();
        const auto arity = static_cast<std::uint32_t>(g_.arity(n));
        const std::uint32_t symbol = symbol_of(n);
        bool waits = false;
        const state_id made = detail.fold(symbol, arity, [&](std::uint32_t projection, std::size_t i) {
            const node_id o = g_.operand(n, i);
            if (states[o] != 0) return detail.class_of(projection, states[o]);
            waits = true;
            return class_below(states, projection, o);
        });
        if (made == 0) return 0;
        a_.make_room();
        const automaton::direct_symbol l = a_.symbols()[symbol];
        if (l.is_direct && !waits)
            a_.fill(symbol, l.operands > 0 ? states[g_.operand(n, l.first)] : 0, l.operands > 1 ? states[g_.operand(n, l.second)] : 0,
                    made);
        return static_cast<std::uint16_t>(made);
    }
    std::uint32_t class_below(const std::uint16_t* states, std::uint32_t projection, node_id o) {
        const known_states known{a_.detailed(), states};
        sub_pattern_check<G, known_states> check(g_, a_.sub_patterns(), known);
        return a_.detailed().class_from(projection, [&](sub_pattern_id s) { return static_cast<int>(check.holds(s, o)); });
    }

    /// The state of a node; 0 where it waits for an operand's.
    std::uint16_t state_of(const std::uint16_t* states, node_id n) {
        if (generation_ != a_.generation()) forget();
        std::uint32_t symbol;
        read(n, 1, &symbol);
        std::uint16_t made = parent_ == g_.size() ? std::uint16_t{0} : looked_up(tables(a_), states, n, symbol);
        if (made == 0) {
            made = worked_out(states, n);
            a_.keep_limits();
        }
        return made;
    }

    /// Gives a node its state if its operands have theirs; returns whether they do.
    bool settle(std::uint16_t* states, node_id n) {
        states[n] = worked_out(states, n);
        if (a_.keep_limits()) forget();
        return states[n] != 0;
    }

    /// Whether a sub-pattern that something asks for holds, according to the states.
    struct known_states {
        const node_states& detail;
        const std::uint16_t* states;

        [[nodiscard]] sub_pattern_answer operator()(sub_pattern_id s, node_id n) const {
            if (states[n] == 0 || !detail.is_asked_for(s)) return sub_pattern_answer::unknown;
            const std::span<const std::uint32_t> held = detail.holding(states[n]);
            const std::size_t at = lower_place(held, s);
            return at < held.size() && held[at] == s ? sub_pattern_answer::yes : sub_pattern_answer::no;
        }
    };
    struct guarded {
        std::uint32_t head = 0, symbol = 0;
        const void* attributes = nullptr;
        const void* type = nullptr;
    };

    const G& g_;
    automaton& a_;
    std::uint32_t generation_ = 0;
    node_id parent_ = 0;
    plain_list<std::uint32_t> heads_;       // of an interned graph: by `place_of_operator`, and number of operands
    std::uint32_t known_ = 0;               // how many these are
    name_index<std::uint32_t, 256> found_;  // operators, grouped by the kind of node
    std::array<guarded, 1024> met_{};
    plain_list<std::uint32_t> holding_;
};

/// The states of all nodes of a graph.
template <graph G>
[[nodiscard]] labels label(const G& g, automaton& a) {
    labels made;
    labeller<G>(g, a).all(made);
    return made;
}

/// Brings labels up to date after nodes changed: see `labeller::changed`.
template <graph G, class Users>
void relabel(const G& g, automaton& a, labels& l, const Users& users, std::span<const node_id> changed) {
    labeller<G>(g, a).changed(l, users, changed);
}

}  // namespace inlay

#endif
