// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_RULE_INDEX_HPP
#define INLAY_REWRITE_RULE_INDEX_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <inlay/graph/concepts.hpp>
#include <inlay/pattern/automaton/name_index.hpp>
#include <inlay/pattern/term/pattern_depth.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

/// Selects the rules that may match at a node by its operator and the operators of its operands, before any matching. It never omits a rule
/// that matches.
template <class W>
class rule_index {
public:
    rule_index(const rule_index&) = delete;
    rule_index& operator=(const rule_index&) = delete;
    explicit rule_index(std::span<const rule_row<W>> rules) {
        for (std::size_t r = 0; r < rules.size(); ++r) {
            const pattern_view& left = *rules[r].left;
            const entry made{static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(asks_.size()), add_asks(left)};
            std::vector<std::string_view> names;
            if (!root_operators(left, left.root, names)) {
                anywhere_.push_back(made);
                for (auto& [name, one] : operators_) one.rules.push_back(made);
                continue;
            }
            for (const std::string_view name : names) {
                std::vector<entry>& list = known(name).rules;
                if (list.empty() || list.back().rule != r) list.push_back(made);
            }
        }
    }

    /// Calls `use(rule)` for each rule that may match at the node, in their order, until it returns true; says whether it did.
    template <class Use>
    bool each(const W& g, node_id n, Use&& use) {
        const operator_entry* known = g.kind(n) == node_kind::call ? entry_at(g, n) : nullptr;
        const std::vector<entry>& rules = known != nullptr ? known->rules : anywhere_;
        for (const entry& e : rules) {
            bool may = true;
            for (std::uint32_t a = e.first_ask; may && a < e.first_ask + e.asks; ++a) may = is_met(asks_[a], g, n);
            if (may && use(std::size_t{e.rule})) return true;
        }
        return false;
    }

private:
    static constexpr std::uint32_t any_operand = 0xFFFF'FFFFu;

    /// A rule in a list, and what it asks of the operands.
    struct entry {
        std::uint32_t rule, first_ask, asks;
    };
    /// An operand, or one of them all, is a call of one of these operators: a bit for each.
    struct ask {
        std::uint32_t operand;
        std::uint64_t operators;
    };
    struct operator_entry {
        std::uint64_t bit = 0;
        std::vector<entry> rules;
    };

    /// More than 64 operators share bits, so that the index then selects more rules than necessary.
    operator_entry& known(std::string_view name) {
        const auto [at, fresh] = operators_.try_emplace(name);
        if (fresh) at->second = {std::uint64_t{1} << (operators_.size() % 64), anywhere_};
        return at->second;
    }
    std::uint32_t add_asks(const pattern_view& p) {
        term_id at = p.root;
        while (p[at].kind == term_kind::capture || p[at].kind == term_kind::attributes || p[at].kind == term_kind::type)
            at = p.child(p[at], 0);
        const pattern_term& root = p[at];
        if (root.kind != term_kind::node || root.node != node_kind::call) return 0;
        std::uint32_t count = 0;
        for (std::uint32_t i = 0; i < root.count; ++i) {
            std::vector<std::string_view> names;
            if (!root_operators(p, p.child(root, i), names)) continue;
            ask made{root.unordered ? any_operand : i, 0};
            for (const std::string_view name : names) made.operators |= known(name).bit;
            asks_.push_back(made);
            ++count;
        }
        return count;
    }

    /// The entry of a node's operator; null: no rule names it.
    const operator_entry* entry_at(const W& g, node_id n) {
        const std::string_view name = g.op(n);
        return met_.find_or_make(name, 0, [&]() -> const operator_entry* {
            const auto at = operators_.find(name);
            return at == operators_.end() ? nullptr : &at->second;
        });
    }
    bool is_met(const ask& a, const W& g, node_id n) {
        const auto fits = [&](node_id operand) {
            if (g.kind(operand) != node_kind::call) return false;
            const operator_entry* known = entry_at(g, operand);
            return known != nullptr && (known->bit & a.operators) != 0;
        };
        const std::size_t arity = g.arity(n);
        if (a.operand != any_operand) return a.operand < arity && fits(static_cast<node_id>(g.operand(n, a.operand)));
        for (std::size_t i = 0; i < arity; ++i)
            if (fits(static_cast<node_id>(g.operand(n, i)))) return true;
        return false;
    }

    std::unordered_map<std::string_view, operator_entry> operators_;  // that rules name
    std::vector<entry> anywhere_;                                     // rules whose root may be anything
    std::vector<ask> asks_;
    name_index<const operator_entry*, 64> met_;  // of the graph
};

}  // namespace inlay

#endif
