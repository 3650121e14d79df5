// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_INTERPRET_FUNCTION_SCOPES_HPP
#define INLAY_OPS_INTERPRET_FUNCTION_SCOPES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/each_clause.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/node_label.hpp>

namespace inlay {

/// Which function's body each node stands in, and what each function reads from bodies around it. Nodes outside every function belong to
/// the module, whose number is `no_node`. O(edges x nesting depth).
class function_scopes {
public:
    /// The error names a node that reads from a body that is not around it, or whose operands do not come first.
    [[nodiscard]] static outcome<function_scopes> of(const ir_module& m) {
        function_scopes s;
        s.owners_of_blocks(m);
        s.owner_.resize(m.size());
        s.place_.resize(m.size());
        s.uses_.assign(m.size(), 0);
        s.free_.resize(m.size() + 1);
        s.count_.assign(m.size() + 1, 0);
        for (node_id n = 0; n < m.size(); ++n) {
            s.owner_[n] = s.block_owner_[m.block(n)];
            s.place_[n] = s.count_[s.index(s.owner_[n], m.size())]++;
        }
        s.size_ = m.size();
        if (auto wrong = s.reads(m)) return std::move(*wrong);
        return s;
    }

    /// The function node in whose body node n stands, or `no_node`.
    [[nodiscard]] node_id owner(node_id n) const { return owner_[n]; }
    /// Node n's number among the nodes of its body.
    [[nodiscard]] std::uint32_t place(node_id n) const { return place_[n]; }
    /// How many nodes stand in the body of a function (`no_node`: of the module).
    [[nodiscard]] std::uint32_t count(node_id function) const { return count_[index(function, size_)]; }
    /// What a function reads from bodies around it, ascending, constants left out.
    [[nodiscard]] std::span<const node_id> captured(node_id function) const { return free_[index(function, size_)]; }
    /// How often node n is read in its body: by operands that can be reached from the body's result, by inner functions (once each), and
    /// as the result. A variable's being bound by `let` or `match` is no use.
    [[nodiscard]] std::uint32_t uses(node_id n) const { return uses_[n]; }

private:
    static std::size_t index(node_id function, std::size_t size) { return function == no_node ? size : function; }

    void owners_of_blocks(const ir_module& m) {
        block_owner_.assign(m.blocks(), no_node);
        std::vector<node_id> body(m.blocks(), no_node);
        for (node_id n = 0; n < m.size(); ++n) {
            if (m.kind(n) != node_kind::function) continue;
            // The body is the block of a parameter, or, without parameters, the one on the way out from the result's block.
            block_id b = m.block(m.operand(n, 0));
            while (b != 0 && m.parent(b) != m.block(n)) b = m.parent(b);
            if (b != 0 && b != m.block(n) && body[b] == no_node) body[b] = n;
        }
        for (block_id b = 1; b < m.blocks(); ++b) block_owner_[b] = body[b] != no_node ? body[b] : block_owner_[m.parent(b)];
    }

    std::optional<error> reads(const ir_module& m) {
        std::vector<char> reached(m.size(), 0);
        for (node_id n = static_cast<node_id>(m.size()); n-- > 0;) {
            const bool is_function = m.kind(n) == node_kind::function;
            for (const node_id o : m.operands(n))
                if (o >= n) return at_node(m, n, error{"reads node " + std::to_string(o) + ", which does not come before it"});
            if (is_function && m.block(n) == 0) reached[n] = 1;
            if (reached[n] == 0) continue;
            if (is_function) {
                if (auto wrong = read(m, n, m.result(n), n)) return wrong;
                reached[m.result(n)] = 1;
                continue;
            }
            find_bound(m, n);
            for (std::size_t i = 0; i < m.arity(n); ++i) {
                const node_id o = m.operand(n, i);
                reached[o] = 1;
                if (binds_[i] != 0) continue;
                if (auto wrong = read(m, owner_[n], o, n)) return wrong;
            }
        }
        for (std::vector<node_id>& list : free_) std::sort(list.begin(), list.end());
        seen_.clear();
        return std::nullopt;
    }

    /// Which operands of node n are variables that it binds, and not something that it reads.
    void find_bound(const ir_module& m, node_id n) {
        binds_.assign(m.arity(n), 0);
        if (m.kind(n) == node_kind::let) binds_[0] = 1;
        if (m.kind(n) != node_kind::match) return;
        each_clause(m, n, [&](std::size_t, std::size_t first, std::size_t result) {
            for (std::size_t i = first; i < result; ++i) binds_[i] = 1;
        });
    }

    /// Node `o` is read in the body of `reader`: it is captured by that function and those around it, up to its own body.
    std::optional<error> read(const ir_module& m, node_id reader, node_id o, node_id by) {
        if (m.kind(o) == node_kind::constant) return std::nullopt;
        while (reader != owner_[o]) {
            if (reader == no_node)
                return at_node(m, by, error{"reads " + label_of(m, o) + ", which stands in a function that is not around it"});
            if (!seen_.insert((static_cast<std::uint64_t>(reader) << 32) | o).second) return std::nullopt;
            free_[reader].push_back(o);
            reader = owner_[reader];
        }
        ++uses_[o];
        return std::nullopt;
    }

    std::size_t size_ = 0;
    std::vector<node_id> block_owner_, owner_;
    std::vector<std::uint32_t> place_, uses_, count_;
    std::vector<std::vector<node_id>> free_;
    std::vector<char> binds_;       // by operand of the node that is looked at
    std::set<std::uint64_t> seen_;  // function and node, of what is captured
};

}  // namespace inlay

#endif
