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
#include <inlay/pattern/pattern_depth.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

/// Which rules may match at a node, told from its operator and from those of its operands before anything is matched. It never leaves out a
/// rule that matches.
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
        const std::vector<entry>& rules = g.kind(n) == node_kind::call ? met_at(g, n).rules() : anywhere_;
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
    /// An operator of the graph; null: one that no rule names.
    struct met_name {
        std::string_view name;
        const operator_entry* known = nullptr;
        const std::vector<entry>* anywhere = nullptr;

        [[nodiscard]] const std::vector<entry>& rules() const { return known != nullptr ? known->rules : *anywhere; }
    };

    /// Operators share a bit where there are more than 64, which lets through more than it has to.
    operator_entry& known(std::string_view name) {
        const auto [at, fresh] = operators_.try_emplace(name);
        if (fresh) at->second = {std::uint64_t{1} << (operators_.size() % 64), anywhere_};
        return at->second;
    }
    std::uint32_t add_asks(const pattern_view& p) {
        term_id at = p.root;
        while (p[at].kind == term_kind::capture || p[at].kind == term_kind::attributes || p[at].kind == term_kind::type) at = p.child(p[at], 0);
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

    /// Names of operators stay where they are, so that most are known by their address.
    const met_name& met_at(const W& g, node_id n) {
        const std::string_view name = g.op(n);
        met_name& met = met_[(reinterpret_cast<std::uintptr_t>(name.data()) * 0x9E37'79B9u >> 8) % met_.size()];
        if (met.anywhere == nullptr || met.name.data() != name.data() || met.name.size() != name.size()) {
            const auto at = operators_.find(name);
            met = {name, at == operators_.end() ? nullptr : &at->second, &anywhere_};
        }
        return met;
    }
    bool is_met(const ask& a, const W& g, node_id n) {
        const auto fits = [&](node_id operand) {
            if (g.kind(operand) != node_kind::call) return false;
            const met_name& met = met_at(g, operand);
            return met.known != nullptr && (met.known->bit & a.operators) != 0;
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
    std::array<met_name, 64> met_{};
};

}  // namespace inlay

#endif
