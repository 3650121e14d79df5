// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_QUOTIENT_HPP
#define INLAY_CANDIDATE_QUOTIENT_HPP

#include <cstddef>
#include <span>
#include <vector>

#include <inlay/candidate/dataflow.hpp>
#include <inlay/candidate/node_set.hpp>

namespace inlay {

/// A graph with disjoint sets of its nodes as one node each, the rest as they are. Sets that are convex may be on a cycle together, and a
/// program of them would not run; two sets become one by `merge`.
class quotient {
public:
    /// Of sets that have no node in common. Linear in the graph.
    quotient(const dataflow& flow, std::span<const node_set> parts)
        : flow_(flow), group_of_(flow.size()), members_(parts.size()), seen_(parts.size() + flow.size()) {
        for (node_id n = 0; n < flow.size(); ++n) group_of_[n] = parts.size() + n;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            joined_to_.push_back(p);
            members_[p] = parts[p].list();
            for (const node_id n : parts[p]) group_of_[n] = p;
        }
    }

    /// The group that a part is in now: the number of one of its parts.
    [[nodiscard]] std::size_t group(std::size_t part) {
        while (joined_to_[part] != part) part = joined_to_[part] = joined_to_[joined_to_[part]];
        return part;
    }

    /// The groups of parts that read from a group directly, each once; in the order of what it makes and who reads that.
    [[nodiscard]] std::vector<std::size_t> readers(std::size_t g) {
        std::vector<std::size_t> found;
        ++stamp_;
        for (const node_id n : members_[g])
            for (const node_id u : flow_.users()[n])
                if (const std::size_t to = current(u); to != g && to < joined_to_.size() && seen_[to] != stamp_) {
                    seen_[to] = stamp_;
                    found.push_back(to);
                }
        return found;
    }

    /// Whether a path leads from one group to the other through something else, either way. Linear in the graph at worst.
    [[nodiscard]] bool has_path_around(std::size_t a, std::size_t b) { return leads_around(a, b) || leads_around(b, a); }

    /// Makes two groups one, of the number of the first.
    void merge(std::size_t a, std::size_t b) {
        joined_to_[b] = a;
        for (const node_id n : members_[b]) members_[a].push_back(n);
        members_[b].clear();
    }

    /// Whether no group reads, through others, from itself. Linear in the graph.
    [[nodiscard]] bool is_acyclic() {
        // Those with nothing left to wait for go first; on a cycle each waits for ever.
        std::vector<std::size_t> waits(seen_.size());
        std::size_t groups = 0, gone = 0;
        const auto each_edge = [&](node_id n, auto&& use) {
            for (const node_id u : flow_.users()[n])
                if (current(u) != current(n)) use(current(u));
        };
        for (node_id n = 0; n < flow_.size(); ++n) each_edge(n, [&](std::size_t to) { ++waits[to]; });
        std::vector<std::size_t> ready;
        for (std::size_t g = 0; g < seen_.size(); ++g) {
            if (nodes(g).empty()) continue;
            ++groups;
            if (waits[g] == 0) ready.push_back(g);
        }
        while (!ready.empty()) {
            const std::size_t g = ready.back();
            ready.pop_back();
            ++gone;
            for (const node_id n : nodes(g))
                each_edge(n, [&](std::size_t to) {
                    if (--waits[to] == 0) ready.push_back(to);
                });
        }
        return gone == groups;
    }

private:
    [[nodiscard]] std::size_t current(node_id n) { return group_of_[n] < joined_to_.size() ? group(group_of_[n]) : group_of_[n]; }
    /// The nodes of a group; none where it was merged into another one, or is a node of a part.
    [[nodiscard]] std::vector<node_id> nodes(std::size_t g) const {
        if (g < members_.size()) return members_[g];
        const auto n = static_cast<node_id>(g - members_.size());
        return group_of_[n] == g ? std::vector<node_id>{n} : std::vector<node_id>{};
    }
    bool leads_around(std::size_t a, std::size_t b) {
        ++stamp_;
        std::vector<std::size_t> todo;
        const auto go = [&](std::size_t from, bool is_first) {
            for (const node_id n : nodes(from))
                for (const node_id u : flow_.users()[n]) {
                    const std::size_t to = current(u);
                    if (to == b && !is_first) return true;
                    if (to == a || to == b || seen_[to] == stamp_) continue;
                    seen_[to] = stamp_;
                    todo.push_back(to);
                }
            return false;
        };
        go(a, true);
        while (!todo.empty()) {
            const std::size_t g = todo.back();
            todo.pop_back();
            if (go(g, false)) return true;
        }
        return false;
    }

    const dataflow& flow_;
    std::vector<std::size_t> group_of_;   // by node: its part, or behind all parts a group of its own
    std::vector<std::size_t> joined_to_;  // by part
    std::vector<std::vector<node_id>> members_;
    std::vector<std::size_t> seen_;
    std::size_t stamp_ = 0;
};

}  // namespace inlay

#endif
