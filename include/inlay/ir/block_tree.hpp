// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_BLOCK_TREE_HPP
#define INLAY_IR_BLOCK_TREE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/core/ancestor_tree.hpp>
#include <inlay/graph/each_clause.hpp>
#include <inlay/ir/ir_module.hpp>

namespace inlay {

/// Which block each node of a module belongs to by its uses alone, whatever blocks the module has: the innermost one that holds all of
/// them. A function has a block for its body, a branch one for each side, a match one for each clause. What no function of the module needs
/// belongs to none. Linear in the module, times the logarithm of how deep blocks are nested.
class block_tree {
public:
    explicit block_tree(const ir_module& m) : m_(m), block_(m.size(), none), first_(m.size(), none) {
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

    void use(node_id n, std::uint32_t b) { block_[n] = block_[n] == none || block_[n] == b ? b : tree_.meeting(block_[n], b); }

    void uses_of(node_id n) {
        const std::uint32_t own = block_[n];
        const auto operands = m_.operands(n);
        first_[n] = static_cast<std::uint32_t>(tree_.size());
        switch (m_.kind(n)) {
            case node_kind::function:
                use_inside(own, operands);
                return;
            case node_kind::if_else:
                use(operands[0], own);
                for (const std::size_t side : {1, 2}) use_inside(own, operands.subspan(side, 1));
                return;
            case node_kind::match:
                use(operands[0], own);
                each_clause(m_, n, [&](std::size_t, std::size_t first, std::size_t result) {
                    use_inside(own, operands.subspan(first, result + 1 - first));
                });
                return;
            default:
                for (const node_id o : operands) use(o, own);
        }
    }
    /// These are used in a new block.
    void use_inside(std::uint32_t own, std::span<const node_id> operands) {
        const std::uint32_t inner = tree_.add(own);
        for (const node_id o : operands) use(o, inner);
    }
    [[nodiscard]] std::size_t blocks_of(node_id n) const {
        std::size_t count = m_.kind(n) == node_kind::function ? 1 : m_.kind(n) == node_kind::if_else ? 2 : 0;
        if (m_.kind(n) == node_kind::match) each_clause(m_, n, [&](std::size_t, std::size_t, std::size_t) { ++count; });
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
        parents_.push_back(number_[tree_.parent(b)]);
    }

    const ir_module& m_;
    ancestor_tree tree_;
    std::vector<std::uint32_t> block_;  // by node, before numbering
    std::vector<std::uint32_t> first_;  // the first block that a node has, by node
    std::vector<block_id> number_, parents_;
    std::vector<node_id> order_;
};

}  // namespace inlay

#endif
