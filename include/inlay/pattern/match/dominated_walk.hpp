// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_MATCH_DOMINATED_WALK_HPP
#define INLAY_PATTERN_MATCH_DOMINATED_WALK_HPP

#include <algorithm>
#include <cstddef>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/graph/users.hpp>

namespace inlay {

/// Goes from a node up to the nodes through which all flows that it reads, and whose value nobody reads but on the way to it. Constants and
/// functions bring nothing that flows: they are passed over.
///
/// After `next(on_path)` has said yes, `parent()` is such a node and `between()` are the nodes on the ways from it, descending. Each call
/// goes on to the next one; the parents passed by have to be on the path themselves. All of a walk is O(edges it sees * log(nodes open)).
template <graph G, class Users = user_lists>
class dominated_walk {
public:
    dominated_walk(const G& g, const Users& users, node_id from) : g_(g), users_(users), from_(from) { open_operands(from); }

    /// Whether there is a further parent. `on_path(n)`: whether a node may lie on the way.
    template <class OnPath>
    bool next(OnPath&& on_path) {
        if (parent_ != no_node && !pass(parent_, on_path)) return false;
        while (!open_.empty()) {
            const node_id n = open_.back();
            open_.pop_back();
            if ((open_.empty() || !in_force<"pattern.dominator.every-path">()) && is_read_inside(n)) {
                parent_ = n;
                return true;
            }
            if (!pass(n, on_path)) return false;
        }
        return false;
    }

    [[nodiscard]] node_id parent() const { return parent_; }
    [[nodiscard]] const std::vector<node_id>& between() const { return between_; }

private:
    template <class OnPath>
    bool pass(node_id n, OnPath& on_path) {
        if (g_.arity(n) == 0 || !is_read_inside(n) || !on_path(n)) return false;
        between_.push_back(n);
        const std::size_t before = seen_;
        open_operands(n);
        // What nothing flows into is no way to a parent.
        return seen_ != before;
    }
    void open_operands(node_id n) {
        for (std::size_t i = 0; i < g_.arity(n); ++i) {
            const node_id o = g_.operand(n, i);
            const node_kind k = kind_of(g_, o);
            if (in_force<"pattern.dominator.constants">() &&
                (k == node_kind::constant || k == node_kind::function || k == node_kind::global))
                continue;
            ++seen_;
            const auto at = std::lower_bound(open_.begin(), open_.end(), o, [&](node_id a, node_id b) { return rank(a) < rank(b); });
            if (!in_force<"pattern.dominator.linear">() || at == open_.end() || *at != o) open_.insert(at, o);
        }
    }
    /// Whether all users lie between or are where the walk began. Users come later, so all that will lie between are known.
    [[nodiscard]] bool is_read_inside(node_id n) const {
        for (const node_id u : users_[n])
            if (in_force<"pattern.dominator.read-outside">() && u != from_ &&
                !std::binary_search(between_.begin(), between_.end(), u, [&](node_id a, node_id b) { return rank(a) > rank(b); }))
                return false;
        return true;
    }
    /// Operands before users, in graphs that do not number their nodes so.
    [[nodiscard]] auto rank(node_id n) const {
        if constexpr (requires { g_.rank(n); })
            return g_.rank(n);
        else
            return n;
    }

    const G& g_;
    const Users& users_;
    node_id from_;
    node_id parent_ = no_node;
    std::size_t seen_ = 0;
    std::vector<node_id> open_;     // ascending: the last has no open user
    std::vector<node_id> between_;  // descending
};

}  // namespace inlay

#endif
