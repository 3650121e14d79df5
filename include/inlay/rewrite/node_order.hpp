// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_NODE_ORDER_HPP
#define INLAY_REWRITE_NODE_ORDER_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/core/id.hpp>

namespace inlay {

/// Nodes in a row into which others can be put, and the rank of each, so that two are compared at once. Ranks are numbers with gaps; where
/// a gap is used up all are numbered anew, which makes an insertion O(log n) on average (after Dietz and Sleator's simple tag scheme).
class node_order {
public:
    /// Nodes 0 to count - 1 in order of their numbers.
    explicit node_order(std::size_t count) : rank_(count), before_(count), after_(count) {
        for (std::size_t n = 0; n < count; ++n) {
            before_[n] = n == 0 ? no_node : static_cast<node_id>(n - 1);
            after_[n] = n + 1 == count ? no_node : static_cast<node_id>(n + 1);
        }
        first_ = count == 0 ? no_node : 0;
        last_ = count == 0 ? no_node : static_cast<node_id>(count - 1);
        number();
    }

    [[nodiscard]] std::uint64_t rank(node_id n) const { return rank_[n]; }
    [[nodiscard]] node_id first() const { return first_; }
    [[nodiscard]] node_id last() const { return last_; }
    [[nodiscard]] node_id after(node_id n) const { return after_[n]; }
    [[nodiscard]] node_id before(node_id n) const { return before_[n]; }
    [[nodiscard]] bool contains(node_id n) const { return n < rank_.size() && rank_[n] != 0; }

    /// Puts a node in front of one that stands in the row, or at the end for `no_node`.
    void insert(node_id n, node_id in_front_of) {
        if (n >= rank_.size()) {
            rank_.resize(n + std::size_t{1}, 0);
            before_.resize(n + std::size_t{1}, no_node);
            after_.resize(n + std::size_t{1}, no_node);
        }
        const node_id previous = in_front_of == no_node ? last_ : before_[in_front_of];
        before_[n] = previous;
        after_[n] = in_front_of;
        (in_front_of == no_node ? last_ : before_[in_front_of]) = n;
        (previous == no_node ? first_ : after_[previous]) = n;
        const std::uint64_t low = previous == no_node ? 0 : rank_[previous],
                            high = in_front_of == no_node ? UINT64_MAX : rank_[in_front_of];
        if (high - low > 1)
            rank_[n] = low + (high - low) / 2;
        else
            number();
    }
    void erase(node_id n) {
        (before_[n] == no_node ? first_ : after_[before_[n]]) = after_[n];
        (after_[n] == no_node ? last_ : before_[after_[n]]) = before_[n];
        rank_[n] = 0;
    }

private:
    void number() {
        std::uint64_t count = 1;
        for (node_id n = first_; n != no_node; n = after_[n]) ++count;
        const std::uint64_t gap = UINT64_MAX / 2 / count;
        std::uint64_t rank = 0;
        for (node_id n = first_; n != no_node; n = after_[n]) rank_[n] = rank += gap;
    }

    std::vector<std::uint64_t> rank_;  // 0: not in the row
    std::vector<node_id> before_, after_;
    node_id first_ = no_node, last_ = no_node;
};

}  // namespace inlay

#endif
