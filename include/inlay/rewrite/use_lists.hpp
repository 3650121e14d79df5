// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_USE_LISTS_HPP
#define INLAY_REWRITE_USE_LISTS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/graph/concepts.hpp>

namespace inlay {

/// The operands and the users of every node. An edge is an operand's place; the edges that read a node form a linked list, so that an
/// operand is replaced without a search.
class use_lists {
public:
    template <graph G>
    explicit use_lists(const G& g) {
        const std::size_t size = g.size();
        begin_.reserve(size + 1);
        edges_.reserve(2 * size);
        begin_.push_back(0);
        newest_.assign(size, none);
        kept_.assign(size, 0);
        for (node_id n = 0; n < size; ++n) {
            const std::size_t arity = g.arity(n);
            for (std::size_t i = 0; i < arity; ++i) append(n, g.operand(n, i));
            begin_.push_back(static_cast<std::uint32_t>(edges_.size()));
        }
    }

    [[nodiscard]] std::size_t arity(node_id n) const { return begin_[n + 1] - begin_[n]; }
    [[nodiscard]] node_id operand(node_id n, std::size_t i) const { return edges_[begin_[n] + i].from; }

    /// The users of a node, newest first; one that reads it twice is there twice.
    class range {
    public:
        class iterator {
        public:
            iterator(const use_lists& all, std::uint32_t at) : all_(&all), at_(at) {}
            node_id operator*() const { return all_->edges_[at_].user; }
            iterator& operator++() {
                at_ = all_->edges_[at_].older;
                return *this;
            }
            friend bool operator==(const iterator& a, const iterator& b) { return a.at_ == b.at_; }

        private:
            const use_lists* all_;
            std::uint32_t at_;
        };
        range(const use_lists& all, std::uint32_t newest) : all_(all), newest_(newest) {}
        [[nodiscard]] iterator begin() const { return {all_, newest_}; }
        [[nodiscard]] iterator end() const { return {all_, none}; }

    private:
        const use_lists& all_;
        std::uint32_t newest_;
    };
    [[nodiscard]] range operator[](node_id n) const { return {*this, newest_[n]}; }

    /// Marks a node as read from outside.
    void keep(node_id n) { kept_[n] = 1; }
    [[nodiscard]] bool is_kept(node_id n) const { return kept_[n] != 0; }
    [[nodiscard]] bool is_read(node_id n) const { return newest_[n] != none || kept_[n] != 0; }
    /// Whether a node has exactly one user. False for a node that is read from outside.
    [[nodiscard]] bool is_read_once(node_id n) const { return kept_[n] == 0 && newest_[n] != none && edges_[newest_[n]].older == none; }

    /// Adds a node behind the last one.
    node_id add(std::span<const node_id> operands) {
        const auto n = static_cast<node_id>(newest_.size());
        newest_.push_back(none);
        kept_.push_back(0);
        for (const node_id o : operands) append(n, o);
        begin_.push_back(static_cast<std::uint32_t>(edges_.size()));
        return n;
    }
    /// Removes the last node, which must have no user.
    void forget_last() {
        const auto n = static_cast<node_id>(newest_.size() - 1);
        drop(n);
        edges_.resize(begin_[n]);
        begin_.pop_back();
        newest_.pop_back();
        kept_.pop_back();
    }
    /// Makes all users of a node, inside and outside, read another node, except users from this number on, which are the newest.
    void replace(node_id old, node_id now, node_id but_from) {
        std::uint32_t kept = none, moved = newest_[old];
        while (moved != none && edges_[moved].user >= but_from) {
            kept = moved;
            moved = edges_[moved].older;
        }
        std::uint32_t oldest = none;
        for (std::uint32_t e = moved; e != none; e = edges_[e].older) {
            edges_[e].from = now;
            oldest = e;
        }
        if (moved != none) {
            edges_[moved].newer = none;
            edges_[oldest].older = newest_[now];
            if (newest_[now] != none) edges_[newest_[now]].newer = oldest;
            newest_[now] = moved;
            (kept == none ? newest_[old] : edges_[kept].older) = none;
        }
        kept_[now] = static_cast<char>(kept_[now] | kept_[old]);
        kept_[old] = 0;
    }
    /// Removes a node's operands from the lists.
    void drop(node_id n) {
        for (std::uint32_t e = begin_[n]; e < begin_[n + 1]; ++e) {
            const edge& gone = edges_[e];
            (gone.newer == none ? newest_[gone.from] : edges_[gone.newer].older) = gone.older;
            if (gone.older != none) edges_[gone.older].newer = gone.newer;
        }
    }

private:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;

    struct edge {
        node_id from, user;
        std::uint32_t newer, older;
    };

    void append(node_id user, node_id from) {
        const auto e = static_cast<std::uint32_t>(edges_.size());
        edges_.push_back({from, user, none, newest_[from]});
        if (newest_[from] != none) edges_[newest_[from]].newer = e;
        newest_[from] = e;
    }

    std::vector<std::uint32_t> begin_;  // of a node's edges; one more than there are nodes
    std::vector<edge> edges_;
    std::vector<std::uint32_t> newest_;  // of the edges that read a node
    std::vector<char> kept_;
};

}  // namespace inlay

#endif
