// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_LABEL_HPP
#define INLAY_PATTERN_LABEL_HPP

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <inlay/pattern/automaton.hpp>

namespace inlay {

/// A graph that numbers its operators: `g.op_id(n)` is a small number, and nodes of one kind that have the same one bear the same name
/// (`name_asked_for`). Labelling asks for the name once for each.
template <class G>
concept interned_graph = graph<G> && requires(const G& g, node_id n) {
    { g.op_id(n) } -> std::convertible_to<std::uint32_t>;
};

/// The state of each node of a graph in one automaton, which tells what the states are.
class labels {
public:
    [[nodiscard]] state_id operator[](node_id n) const { return states_[n]; }
    [[nodiscard]] std::size_t size() const { return states_.empty() ? 0 : states_.size() - 1; }

private:
    template <graph G>
    friend class labeller;

    std::vector<std::uint16_t> states_;  // one more than nodes: what stands for an operand that is not asked for
};

/// Labels a graph. It keeps what it learned of the graph's operators, and of guards at attributes and types that stand at one address,
/// which the graph must not change meanwhile. Holds the graph and the automaton by reference.
template <graph G>
class labeller {
public:
    labeller(const G& g, automaton& a) : g_(g), a_(a) {}

    /// States of all nodes, from scratch. O(nodes and operands) once the tables are filled.
    void all(labels& l) {
        const std::size_t size = g_.size();
        l.states_.assign(size + 1, 0);
        l.states_[size] = automaton::no_operand;
        find_parent();
        // Neighbours wait for each other's states; so distant stretches take turns. What depends on a stretch that is behind stays 0.
        const std::size_t stretch = size / ways;
        std::size_t done = 0;
        if (stretch >= 16 * block) {
            std::size_t late = 0;
            for (; done + block <= stretch && late * 8 <= done + 8 * block; done += block) {
                node_id from[ways];
                for (std::size_t w = 0; w < ways; ++w) from[w] = static_cast<node_id>(w * stretch + done);
                late += in_turns(l.states_.data(), from);
            }
        }
        for (std::size_t n = 0; n < size;) {
            while (n < size && l.states_[n] != 0) ++n;
            const std::size_t last = n + block < size ? n + block : size;
            one_by_one(l.states_.data(), static_cast<node_id>(n), static_cast<node_id>(last));
            n = last;
        }
    }

    /// The labels after nodes changed: their letters, or their operands. Nodes that are new since count as changed. `users[n]` are the nodes
    /// that read n now. It goes up from the changed nodes and stops where a state stays what it was. O(k log k) for the k nodes it looks at.
    template <class Users>
    void changed(labels& l, const Users& users, std::span<const node_id> nodes) {
        const std::size_t size = g_.size(), before = l.size();
        if (size != before) {
            if (l.states_.empty()) l.states_.push_back(automaton::no_operand);
            l.states_.resize(size + 1, 0);
            l.states_[before] = 0;
            l.states_[size] = automaton::no_operand;
        }
        find_parent();
        std::vector<node_id> open(nodes.begin(), nodes.end());
        for (std::size_t n = before; n < size; ++n) open.push_back(static_cast<node_id>(n));
        const auto later = [](node_id a, node_id b) { return a > b; };
        std::make_heap(open.begin(), open.end(), later);
        while (!open.empty()) {
            const node_id n = open.front();
            while (!open.empty() && open.front() == n) {
                std::pop_heap(open.begin(), open.end(), later);
                open.pop_back();
            }
            const std::uint16_t made = state_of(l.states_.data(), n);
            if (made == l.states_[n]) continue;
            l.states_[n] = made;
            for (const node_id u : users[n]) {
                open.push_back(u);
                std::push_heap(open.begin(), open.end(), later);
            }
        }
    }

    /// The letters of these nodes, their guards asked; `made[i]` is what stands for the one of node first + i. To be measured apart.
    void letters(node_id first, node_id last, std::uint32_t* made) {
        find_parent();
        for (node_id n = first; n < last; ++n) made[n - first] = record_of(n).row;
    }

private:
    static constexpr std::size_t ways = 4;
    static constexpr std::size_t block = 64;
    static constexpr std::uint32_t asked_each = node_states::none - 1;  // nodes of the kind bear names of their own

    /// All that the tables need of a node.
    struct record {
        std::uint32_t row = 0, column = 0;
        node_id first = 0, second = 0;
    };

    /// A node that has operands; reading these is harmless where a node has none.
    void find_parent() {
        if (generation_ != a_.generation()) forget();
        while (parent_ < g_.size() && g_.arity(parent_) == 0) ++parent_;
    }
    void forget() {
        generation_ = a_.generation();
        operators_.clear();
        for (auto& f : found_) f = {};
        for (auto& m : met_) m = {};
    }

    /// How many of the stretches' next blocks of nodes stay without a state.
    std::size_t in_turns(std::uint16_t* states, const node_id (&from)[ways]) {
        for (std::size_t w = 0; w < ways; ++w) read(from[w], block, records_.data() + w * block);
        std::size_t late = 0;
        const std::uint16_t *rows = a_.rows(), *columns = a_.columns(), *cells = a_.cells();
        for (std::size_t i = 0; i < block; ++i) {
            std::uint32_t made[ways];
            for (std::size_t w = 0; w < ways; ++w) {
                const record& r = records_[w * block + i];
                made[w] = cells[rows[r.row + states[r.first]] + std::uint32_t{columns[r.column + states[r.second]]}];
                states[from[w] + i] = static_cast<std::uint16_t>(made[w]);
            }
            for (std::size_t w = 0; w < ways; ++w) {
                if (made[w] != 0) continue;
                const std::uint32_t version = a_.version();
                late += !settle(states, static_cast<node_id>(from[w] + i));
                if (version != a_.version())
                    for (std::size_t v = 0; v < ways; ++v) read(from[v], block, records_.data() + v * block);
                rows = a_.rows();
                columns = a_.columns();
                cells = a_.cells();
            }
        }
        return late;
    }
    void one_by_one(std::uint16_t* states, node_id first, node_id last) {
        const std::size_t count = last - first;
        read(first, count, records_.data());
        const std::uint16_t *rows = a_.rows(), *columns = a_.columns(), *cells = a_.cells();
        for (std::size_t i = 0; i < count; ++i) {
            const record& r = records_[i];
            const std::uint16_t made = cells[rows[r.row + states[r.first]] + std::uint32_t{columns[r.column + states[r.second]]}];
            states[first + i] = made;
            if (made != 0) continue;
            const std::uint32_t version = a_.version();
            settle(states, static_cast<node_id>(first + i));
            if (version != a_.version()) read(first, count, records_.data());
            rows = a_.rows();
            columns = a_.columns();
            cells = a_.cells();
        }
    }

    void read(node_id first, std::size_t count, record* made) {
        for (std::size_t i = 0; i < count; ++i) made[i] = record_of(static_cast<node_id>(first + i));
    }

    record record_of(node_id n) {
        const std::uint32_t op = operator_of(n);
        const std::size_t arity = g_.arity(n);
        const std::uint32_t head = a_.heads()[op * automaton::arities + (arity < automaton::arities ? arity : automaton::arities - 1)];
        const std::uint32_t letter = (head & 3) == automaton::ready ? head / 4 : letter_of(n, op, arity, head);
        const automaton::direct_letter& l = a_.letters()[letter];
        const auto nobody = static_cast<node_id>(g_.size());
        if (!l.is_direct || parent_ == nobody) return {l.is_direct ? l.row : 0, 0, nobody, nobody};
        // Without a branch on the number of operands, which nobody foresees.
        const node_id at = arity == 0 ? parent_ : n;
        const node_id first = g_.operand(at, l.first), second = g_.operand(at, l.second);
        return {l.row, l.column, l.operands > 0 ? first : nobody, l.operands > 1 ? second : nobody};
    }

    /// The number in the automaton of a node's operator.
    std::uint32_t operator_of(node_id n) {
        const node_kind kind = kind_of(g_, n);
        if constexpr (interned_graph<G>) {
            const std::size_t at = kind == node_kind::call ? 16 + std::size_t{g_.op_id(n)} : static_cast<std::size_t>(kind);
            if (at < operators_.size() && operators_[at] < asked_each) return operators_[at];
            return new_operator_of(n, kind, at);
        } else {
            return named_operator_of(n, kind);
        }
    }
    std::uint32_t new_operator_of(node_id n, node_kind kind, std::size_t at) {
        if (at >= operators_.size()) operators_.resize(2 * at + 16, node_states::none);
        if (operators_[at] == asked_each) return named_operator_of(n, kind);
        const std::uint32_t op = named_operator_of(n, kind);
        operators_[at] = kind != node_kind::call && a_.detailed().asks_name(kind) ? asked_each : op;
        return op;
    }
    std::uint32_t named_operator_of(node_id n, node_kind kind) {
        if (!a_.detailed().asks_name(kind)) return a_.detailed().operator_of(kind, {});
        const std::string_view name = name_asked_for(g_, n, kind);
        const std::size_t place = (reinterpret_cast<std::uintptr_t>(name.data()) * 0x9E37'79B9u >> 8) + static_cast<std::size_t>(kind);
        named& f = found_[place % found_.size()];
        if (f.name.data() != name.data() || f.name.size() != name.size() || f.kind != kind || f.op == node_states::none)
            f = {name, kind, a_.detailed().operator_of(kind, name)};
        return f.op;
    }

    /// The letter of a node where its head alone does not tell it.
    std::uint32_t letter_of(node_id n, std::uint32_t op, std::size_t arity, std::uint32_t head) {
        if (head == automaton::unknown) head = a_.head(op, static_cast<std::uint32_t>(arity));
        if ((head & 3) == automaton::ready) return head / 4;
        const void* attributes = nullptr;
        const void* type = nullptr;
        bool same_place = true;
        if constexpr (requires { requires std::is_lvalue_reference_v<decltype(g_.attributes(n))>; }) attributes = &g_.attributes(n);
        if constexpr (requires { requires std::is_lvalue_reference_v<decltype(g_.type(n))>; }) type = &g_.type(n);
        if constexpr (attributed_graph<G>) same_place = attributes != nullptr && kind_of(g_, n) == node_kind::call;
        if constexpr (typed_graph<G>) same_place = same_place && type != nullptr;
        const std::uintptr_t mixed = reinterpret_cast<std::uintptr_t>(attributes) * 31 + reinterpret_cast<std::uintptr_t>(type) + head * std::uintptr_t{0x9E37};
        guarded& m = met_[(mixed ^ mixed >> 9) % met_.size()];
        if (same_place && m.head == head && m.attributes == attributes && m.type == type) return m.letter;
        holding_.clear();
        for (const std::uint32_t guard : a_.detailed().guards_of(head / 4))
            if (holds(a_.question(guard), g_, n)) holding_.push_back(guard);
        const std::uint32_t letter = a_.letter(head / 4, {holding_.data(), holding_.size()});
        if (same_place) m = {head, letter, attributes, type};
        return letter;
    }

    /// The state of a node by the long way, which the tables are told; 0 where it waits for an operand's.
    std::uint16_t worked_out(const std::uint16_t* states, node_id n) {
        if (generation_ != a_.generation()) forget();
        const std::uint32_t op = operator_of(n);
        const auto arity = static_cast<std::uint32_t>(g_.arity(n));
        const std::uint32_t letter = letter_of(n, op, arity, automaton::unknown);
        const state_id made = a_.detailed().fold(letter, arity, [&](std::size_t i) { return state_id{states[g_.operand(n, i)]}; });
        if (made == 0) return 0;
        a_.make_room();
        const automaton::direct_letter l = a_.letters()[letter];
        if (l.is_direct)
            a_.fill(letter, l.operands > 0 ? states[g_.operand(n, l.first)] : 0, l.operands > 1 ? states[g_.operand(n, l.second)] : 0, made);
        return static_cast<std::uint16_t>(made);
    }

    /// The state of a node; 0 where it waits for an operand's.
    std::uint16_t state_of(const std::uint16_t* states, node_id n) {
        if (generation_ != a_.generation()) forget();
        const record r = record_of(n);
        std::uint16_t made = a_.cells()[a_.rows()[r.row + states[r.first]] + std::uint32_t{a_.columns()[r.column + states[r.second]]}];
        if (made == 0) {
            made = worked_out(states, n);
            a_.keep_limits();
        }
        return made;
    }

    /// Gives a node its state if its operands have theirs; whether they do. Operands that wait for nobody get theirs on the way.
    bool settle(std::uint16_t* states, node_id n) {
        states[n] = worked_out(states, n);
        if (states[n] == 0) {
            for (std::size_t i = 0; i < g_.arity(n); ++i) {
                const node_id o = g_.operand(n, i);
                if (states[o] == 0 && g_.arity(o) == 0) states[o] = worked_out(states, o);
            }
            states[n] = worked_out(states, n);
        }
        if (a_.keep_limits()) forget();
        return states[n] != 0;
    }

    struct named {
        std::string_view name{};
        node_kind kind = node_kind::call;
        std::uint32_t op = node_states::none;
    };
    struct guarded {
        std::uint32_t head = 0, letter = 0;
        const void* attributes = nullptr;
        const void* type = nullptr;
    };

    const G& g_;
    automaton& a_;
    std::uint32_t generation_ = 0;
    node_id parent_ = 0;
    std::vector<std::uint32_t> operators_;  // by kind, then by the graph's numbers of operators
    std::array<named, 256> found_{};
    std::array<guarded, 1024> met_{};
    std::vector<std::uint32_t> holding_;
    std::array<record, ways * block> records_{};
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
