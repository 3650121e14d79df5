// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_NODE_SET_HPP
#define INLAY_CANDIDATE_NODE_SET_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/digest.hpp>
#include <inlay/core/id.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/sorted_list.hpp>

namespace inlay {

/// A set of nodes, held as their ascending numbers. The sets of partition rules have a few nodes of a graph of thousands, so that a list
/// is smaller than a bit for each node of the graph, its operations are linear in the members alone, and sets need not know the
/// graph's size. It is also what `candidate::nodes` and `is_convex` take.
class node_set {
public:
    node_set() = default;
    /// Of nodes in any order; of equal ones one is kept.
    explicit node_set(std::vector<node_id> nodes) : nodes_(std::move(nodes)) { sort_unique(nodes_); }
    node_set(std::initializer_list<node_id> nodes) : node_set(std::vector<node_id>(nodes)) {}

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] bool empty() const { return nodes_.empty(); }
    [[nodiscard]] node_id operator[](std::size_t i) const { return nodes_[i]; }
    [[nodiscard]] const node_id* begin() const { return nodes_.data(); }
    [[nodiscard]] const node_id* end() const { return nodes_.data() + nodes_.size(); }
    [[nodiscard]] const std::vector<node_id>& list() const { return nodes_; }

    [[nodiscard]] bool has(node_id n) const { return sorted_has(nodes_, n); }
    /// The least and the greatest member; `no_node` where there is none.
    [[nodiscard]] node_id first() const { return nodes_.empty() ? no_node : nodes_.front(); }
    [[nodiscard]] node_id last() const { return nodes_.empty() ? no_node : nodes_.back(); }
    /// The least member above n; `no_node` where there is none.
    [[nodiscard]] node_id next(node_id n) const {
        const std::size_t at = n == no_node ? nodes_.size() : lower_place(nodes_, n + 1);
        return at == nodes_.size() ? no_node : nodes_[at];
    }
    /// The least number that is no member.
    [[nodiscard]] node_id first_outside() const {
        node_id n = 0;
        while (n < nodes_.size() && nodes_[n] == n) ++n;
        return n;
    }

    void add(node_id n) {
        const std::size_t at = lower_place(nodes_, n);
        if (at != nodes_.size() && nodes_[at] == n) return;
        nodes_.push_back(n);
        for (std::size_t i = nodes_.size() - 1; i > at; --i) std::swap(nodes_[i], nodes_[i - 1]);
    }

    [[nodiscard]] friend node_set operator|(const node_set& a, const node_set& b) { return joined(a, b, true, true, true); }
    [[nodiscard]] friend node_set operator&(const node_set& a, const node_set& b) { return joined(a, b, false, true, false); }
    [[nodiscard]] friend node_set operator-(const node_set& a, const node_set& b) { return joined(a, b, true, false, false); }

    friend bool operator==(const node_set&, const node_set&) = default;

    /// At the first number that only one of them has, the set with it is the smaller one; so a set stands before its own beginnings.
    friend bool operator<(const node_set& a, const node_set& b) {
        std::size_t i = 0;
        while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
        if (i == a.size()) return false;
        return i == b.size() || a[i] < b[i];
    }

    /// A number for look-up tables; equal sets have equal ones.
    [[nodiscard]] std::uint64_t hash() const {
        digest_builder b;
        for (const node_id n : nodes_) b.add(static_cast<std::uint64_t>(n));
        return b.finish().low;
    }

private:
    static node_set joined(const node_set& a, const node_set& b, bool only_a, bool both, bool only_b) {
        node_set made;
        std::size_t i = 0, j = 0;
        while (i < a.size() || j < b.size()) {
            const bool from_a = j == b.size() || (i < a.size() && a[i] <= b[j]);
            const bool from_b = i == a.size() || (j < b.size() && b[j] <= a[i]);
            const node_id n = from_a ? a[i] : b[j];
            if (from_a && from_b ? both : from_a ? only_a : only_b) made.nodes_.push_back(n);
            i += from_a ? 1 : 0;
            j += from_b ? 1 : 0;
        }
        return made;
    }

    std::vector<node_id> nodes_;
};

/// Whether two sets have no node in common. Linear in both.
[[nodiscard]] inline bool disjoint(const node_set& a, const node_set& b) {
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (a[i] == b[j]) return false;
        ++(a[i] < b[j] ? i : j);
    }
    return true;
}

/// Whether every node of `a` is in `b`. Linear in `a` times the logarithm of `b`.
[[nodiscard]] inline bool is_subset(const node_set& a, const node_set& b) {
    if (a.size() > b.size()) return false;
    for (const node_id n : a)
        if (!b.has(n)) return false;
    return true;
}

/// The set of a list that is to name each node once, all below `size`; the error names the first that it does not.
[[nodiscard]] inline outcome<node_set> node_set_of(std::span<const node_id> list, std::size_t size) {
    node_set made;
    for (const node_id n : list) {
        if (n >= size)
            return error{"node " + std::to_string(n) + " of the list is not below the graph's size " + std::to_string(size) +
                         "; name nodes of this graph"};
        if (made.has(n)) return error{"node " + std::to_string(n) + " stands twice in the list; name each node once"};
        made.add(n);
    }
    return made;
}

/// The set in another graph: `places[n]` is what became of node n, `no_node` where nothing did. The error names the first member that
/// has no place there, or shares it with another one.
[[nodiscard]] inline outcome<node_set> moved(const node_set& nodes, std::span<const node_id> places, std::size_t size) {
    node_set made;
    for (const node_id n : nodes) {
        const node_id to = n < places.size() ? places[n] : no_node;
        if (to >= size)
            return error{"node " + std::to_string(n) + " of the set has no place below " + std::to_string(size) +
                         "; give every member of the set one"};
        if (made.has(to))
            return error{"node " + std::to_string(n) + " of the set goes to place " + std::to_string(to) +
                         " where another one went; give each a place of its own"};
        made.add(to);
    }
    return made;
}

/// `{1,2,4..7}`: three or more in a row as first and last.
[[nodiscard]] inline std::string to_string(const node_set& nodes) {
    std::string text = "{";
    for (std::size_t i = 0; i < nodes.size();) {
        std::size_t end = i + 1;
        while (end < nodes.size() && nodes[end] == nodes[end - 1] + 1) ++end;
        if (end - i < 3) end = i + 1;
        if (i != 0) text += ',';
        text += std::to_string(nodes[i]);
        if (end - i > 1) text += ".." + std::to_string(nodes[end - 1]);
        i = end;
    }
    return text += '}';
}

}  // namespace inlay

#endif
