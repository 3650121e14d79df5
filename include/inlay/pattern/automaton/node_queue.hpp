// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_AUTOMATON_NODE_QUEUE_HPP
#define INLAY_PATTERN_AUTOMATON_NODE_QUEUE_HPP

#include <cstddef>

#include <inlay/core/id.hpp>
#include <inlay/core/plain_list.hpp>

namespace inlay {

/// A priority queue of nodes: the smallest number leaves first. A node that was added twice leaves twice. O(log size) per step.
class node_queue {
public:
    [[nodiscard]] bool empty() const { return heap_.empty(); }
    [[nodiscard]] node_id first() const { return heap_[0]; }

    void push(node_id n) {
        heap_.push_back(n);
        std::size_t at = heap_.size() - 1;
        for (; at > 0 && n < heap_[(at - 1) / 2]; at = (at - 1) / 2) heap_[at] = heap_[(at - 1) / 2];
        heap_[at] = n;
    }
    void pop() {
        const node_id last = heap_.back();
        heap_.pop_back();
        if (heap_.empty()) return;
        std::size_t at = 0;
        for (std::size_t below = 1; below < heap_.size(); below = 2 * at + 1) {
            if (below + 1 < heap_.size() && heap_[below + 1] < heap_[below]) ++below;
            if (last <= heap_[below]) break;
            heap_[at] = heap_[below];
            at = below;
        }
        heap_[at] = last;
    }

private:
    plain_list<node_id> heap_;
};

}  // namespace inlay

#endif
