// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_EXACT_ELIMINATION_GRAPH_HPP
#define INLAY_SEARCH_EXACT_ELIMINATION_GRAPH_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <inlay/core/arena.hpp>
#include <inlay/search/model/cost_network.hpp>

namespace inlay::detail {

/// The graph of an elimination under way: who is joined with whom, and by which classes each is seen by the other.
class elimination_graph {
public:
    struct neighbour {
        std::uint32_t variable;
        /// Where this variable stands among the neighbour's own.
        std::uint32_t back;
        /// The neighbour's classes as seen from here, and this variable's as seen from there.
        class_map theirs;
        class_map ours;
    };

    /// Class maps go into `memory`.
    elimination_graph(const cost_network& m, arena& memory) : near_(m.variables()), values_(m.variables()), memory_(&memory) {
        for (std::size_t v = 0; v < m.variables(); ++v) values_[v] = m.unary[v].size();
        for (const pair_table& p : m.pairs) {
            ++near_[p.a].room;
            ++near_[p.b].room;
        }
        for (row& r : near_) r.items = lists_.take<neighbour>(r.room).data();
        for (const pair_table& p : m.pairs) {
            row& a = near_[p.a];
            row& b = near_[p.b];
            a.items[a.size] = {p.b, b.size, p.b_map, p.a_map};
            b.items[b.size++] = {p.a, a.size++, p.a_map, p.b_map};
        }
    }

    [[nodiscard]] std::span<const neighbour> near(std::uint32_t v) const { return {near_[v].items, near_[v].size}; }

    /// Entries of the step that would eliminate v now, with v's own values unmerged; `too_many` where they are more.
    [[nodiscard]] double weight(std::uint32_t v) const {
        auto product = static_cast<double>(values_[v]);
        for (const neighbour& n : near(v)) {
            product *= n.theirs.count;
            // A tensor that everything reads is asked about each time one of its readers goes.
            if (product >= too_many) return too_many;
        }
        return product;
    }

    /// Whether v has so many more neighbours than a variable with `joined` of them that it is not asked for them all: a tensor that
    /// everything reads would be, each time one of its readers goes.
    [[nodiscard]] bool is_wide(std::uint32_t v, std::size_t joined) const { return near_[v].size > 64 + 4 * joined; }

    /// How many pairs of neighbours of v are not joined; two that are wide count as joined, which they are once any such v is gone.
    /// O(the sum of the degrees of those that are not).
    [[nodiscard]] double fill(std::uint32_t v) {
        mark_.resize(near_.size(), 0);
        const std::span<const neighbour> list = near(v);
        std::size_t wide = 0;
        // A pair is seen from both its ends, but for those that are not asked.
        for (const neighbour& n : list) {
            const bool asked = !is_wide(n.variable, list.size());
            mark_[n.variable] = asked ? 1 : 2;
            wide += asked ? 0u : 1u;
        }
        std::size_t joined = wide * (wide - 1);
        for (const neighbour& n : list) {
            if (mark_[n.variable] == 2) continue;
            for (const neighbour& other : near(n.variable)) joined += mark_[other.variable];
        }
        for (const neighbour& n : list) mark_[n.variable] = 0;
        return static_cast<double>(list.size() * (list.size() - 1)) / 2 - static_cast<double>(joined) / 2;
    }

    /// Takes v out: its neighbours become joined, seen by the classes by which v saw them. What was near v stays to be read.
    void eliminate(std::uint32_t v) {
        const std::span<const neighbour> list = near(v);
        for (const neighbour& n : list) {
            row& r = near_[n.variable];
            neighbour& place = r.items[n.back];
            place = r.items[--r.size];
            near_[place.variable].items[place.back].back = n.back;
        }
        for (std::size_t i = 0; i < list.size(); ++i)
            for (std::size_t j = i + 1; j < list.size(); ++j) join(list[i], list[j]);
    }

    [[nodiscard]] class_mapper& mapper() { return mapper_; }

    static constexpr double too_many = 1e30;

private:
    struct row {
        neighbour* items = nullptr;
        std::uint32_t size = 0;
        std::uint32_t room = 0;
    };

    /// Where `to` stands among the neighbours of `from`, or their number.
    [[nodiscard]] std::uint32_t find(std::uint32_t from, std::uint32_t to) const {
        const row& r = near_[from];
        std::uint32_t at = 0;
        while (at < r.size && r.items[at].variable != to) ++at;
        return at;
    }

    void join(const neighbour& x, const neighbour& y) {
        // Whoever has fewer neighbours is asked.
        const bool x_is_asked = near_[x.variable].size <= near_[y.variable].size;
        const neighbour& one = x_is_asked ? x : y;
        const neighbour& other = x_is_asked ? y : x;
        const std::uint32_t at = find(one.variable, other.variable);
        if (at == near_[one.variable].size) {
            const std::uint32_t back = near_[other.variable].size;
            push(one.variable, {other.variable, back, other.theirs, one.theirs});
            push(other.variable, {one.variable, at, one.theirs, other.theirs});
            return;
        }
        // Two with many neighbours are joined again and again.
        constexpr std::uint32_t many = 64;
        if (at > many) to_front(one.variable, at);
        neighbour& there = near_[one.variable].items[at > many ? 0 : at];
        neighbour& back = near_[other.variable].items[there.back];
        there.theirs = back.ours = mapper_.refine(there.theirs, other.theirs, *memory_);
        there.ours = back.theirs = mapper_.refine(there.ours, one.theirs, *memory_);
    }

    /// Changes places so that one stands first.
    void to_front(std::uint32_t v, std::uint32_t at) {
        neighbour* const items = near_[v].items;
        std::swap(items[0], items[at]);
        for (const std::uint32_t i : {0u, at}) near_[items[i].variable].items[items[i].back].back = i;
    }

    void push(std::uint32_t to, const neighbour& n) {
        row& r = near_[to];
        if (r.size == r.room) {
            r.room = std::max<std::uint32_t>(4, r.room * 2);
            neighbour* const moved = lists_.take<neighbour>(r.room).data();
            std::copy(r.items, r.items + r.size, moved);
            r.items = moved;
        }
        r.items[r.size++] = n;
    }

    std::vector<row> near_;
    std::vector<std::size_t> values_;
    std::vector<std::uint8_t> mark_;
    arena* memory_;
    arena lists_;
    class_mapper mapper_;
};

}  // namespace inlay::detail

#endif
