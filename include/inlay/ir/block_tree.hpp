// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_BLOCK_TREE_HPP
#define INLAY_IR_BLOCK_TREE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/ir/ir_module.hpp>

namespace inlay {

/// Which block each node of a module belongs to by its uses alone, whatever blocks the module has: the innermost one that holds all of
/// them. A function has a block for its body, a branch one for each side, a match one for each clause. What no function of the module needs
/// belongs to none. Linear in the module, times the logarithm of how deep blocks are nested.
class block_tree {
public:
    explicit block_tree(const ir_module& m) : m_(m), block_(m.size(), none), first_(m.size(), none) {
        tree_.push_back({});
        for (const node_id f : m.functions()) block_[f] = 0;
        for (node_id n = static_cast<node_id>(m.size()); n-- > 0;)
            if (block_[n] != none) uses_of(n);
        put_in_order();
    }

    /// The nodes in an order in which operands come first and each block stands together, right before the node that has it.
    [[nodiscard]] std::span<const node_id> order() const { return order_; }
    /// The block of a node that is in `order()`. Blocks are numbered as `order()` comes to them.
    [[nodiscard]] block_id block(node_id n) const { return number_[block_[n]]; }
    /// The block that each block stands in; the outermost, 0, in itself.
    [[nodiscard]] const std::vector<block_id>& parents() const { return parents_; }

private:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;

    /// A block in the tree of blocks. `jump` leads up by a power-of-two stride, as in a skew-binary list (Myers 1983).
    struct branch {
        std::uint32_t parent = 0, depth = 0, jump = 0;
    };

    std::uint32_t make(std::uint32_t parent) {
        const branch& p = tree_[parent];
        const branch& j = tree_[p.jump];
        const bool even = p.depth - j.depth == j.depth - tree_[j.jump].depth;
        tree_.push_back({parent, p.depth + 1, even ? j.jump : parent});
        return static_cast<std::uint32_t>(tree_.size() - 1);
    }
    [[nodiscard]] std::uint32_t up_to(std::uint32_t b, std::uint32_t depth) const {
        while (tree_[b].depth > depth) b = tree_[tree_[b].jump].depth >= depth ? tree_[b].jump : tree_[b].parent;
        return b;
    }
    [[nodiscard]] std::uint32_t meeting(std::uint32_t a, std::uint32_t b) const {
        a = up_to(a, tree_[b].depth);
        b = up_to(b, tree_[a].depth);
        while (a != b) {
            const bool far = tree_[a].jump != tree_[b].jump;
            a = far ? tree_[a].jump : tree_[a].parent;
            b = far ? tree_[b].jump : tree_[b].parent;
        }
        return a;
    }

    void use(node_id n, std::uint32_t b) { block_[n] = block_[n] == none || block_[n] == b ? b : meeting(block_[n], b); }

    void uses_of(node_id n) {
        const std::uint32_t own = block_[n];
        const auto operands = m_.operands(n);
        const std::size_t outside = m_.kind(n) == node_kind::if_else || m_.kind(n) == node_kind::match ? 1 : 0;
        switch (m_.kind(n)) {
            case node_kind::function:
                first_[n] = make(own);
                for (const node_id o : operands) use(o, first_[n]);
                return;
            case node_kind::if_else:
            case node_kind::match:
                first_[n] = static_cast<std::uint32_t>(tree_.size());
                use(operands[0], own);
                each_clause(n, [&](std::size_t begin, std::size_t end) {
                    const std::uint32_t inner = make(own);
                    for (std::size_t i = begin; i < end; ++i) use(operands[outside + i], inner);
                });
                return;
            default:
                for (const node_id o : operands) use(o, own);
        }
    }
    /// Calls `f` with the operands of each clause or branch, counted from behind the first operand.
    template <class F>
    void each_clause(node_id n, F&& f) const {
        const std::size_t operands = m_.arity(n) - 1;
        if (m_.kind(n) == node_kind::if_else) {
            for (std::size_t i = 0; i < operands; ++i) f(i, i + 1);
            return;
        }
        std::size_t at = 0;
        for (const std::int64_t variables : m_.attributes(n).integers("clause_sizes")) {
            const std::size_t end = at + static_cast<std::size_t>(variables) + 1;
            if (end > operands) return;
            f(at, end);
            at = end;
        }
    }
    [[nodiscard]] std::size_t blocks_of(node_id n) const {
        if (first_[n] == none) return 0;
        if (m_.kind(n) == node_kind::function) return 1;
        std::size_t count = 0;
        each_clause(n, [&](std::size_t, std::size_t) { ++count; });
        return count;
    }

    void put_in_order() {
        std::vector<std::uint32_t> begin(tree_.size() + 1, 0);
        for (const std::uint32_t b : block_)
            if (b != none) ++begin[b + 1];
        for (std::size_t b = 0; b < tree_.size(); ++b) begin[b + 1] += begin[b];
        std::vector<node_id> members(begin.back());
        std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
        for (node_id n = 0; n < m_.size(); ++n)
            if (block_[n] != none) members[next[block_[n]]++] = n;
        number_.assign(tree_.size(), 0);
        order_.reserve(members.size());

        struct position {
            std::uint32_t block;
            std::uint32_t at;
            bool entered;  // the blocks of the node at that place
        };
        std::vector<position> open{{0, begin[0], false}};
        parents_.push_back(0);
        while (!open.empty()) {
            position& top = open.back();
            if (top.at == begin[top.block + 1]) {
                open.pop_back();
                if (!open.empty()) enter(open.back().block);
                continue;
            }
            const node_id n = members[top.at];
            const std::size_t inner = top.entered ? 0 : blocks_of(n);
            if (inner == 0) {
                order_.push_back(n);
                ++top.at;
                top.entered = false;
                continue;
            }
            top.entered = true;
            for (std::size_t i = inner; i-- > 0;) open.push_back({static_cast<std::uint32_t>(first_[n] + i), begin[first_[n] + i], false});
            enter(open.back().block);
        }
    }
    /// Gives a block its number when it is first come to.
    void enter(std::uint32_t b) {
        if (b == 0 || number_[b] != 0) return;
        number_[b] = static_cast<block_id>(parents_.size());
        parents_.push_back(number_[tree_[b].parent]);
    }

    const ir_module& m_;
    std::vector<branch> tree_;
    std::vector<std::uint32_t> block_;  // by node, before numbering
    std::vector<std::uint32_t> first_;  // the first block that a node has, by node
    std::vector<block_id> number_, parents_;
    std::vector<node_id> order_;
};

}  // namespace inlay

#endif
