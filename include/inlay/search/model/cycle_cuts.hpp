// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_MODEL_CYCLE_CUTS_HPP
#define INLAY_SEARCH_MODEL_CYCLE_CUTS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <inlay/search/cover.hpp>
#include <inlay/search/model/acyclicity.hpp>
#include <inlay/search/model/cost_network.hpp>
#include <inlay/search/model/cover_network.hpp>
#include <inlay/search/model/fixed_cost.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay {

/// What acyclicity asks of some sets of candidates. All of a set share a node, which none covers together with one of another set of a
/// `cycle`.
struct cycle_cut {
    enum class kind : std::uint8_t {
        /// At most one of all these candidates is chosen.
        clique,
        /// Of at least one set none is chosen.
        cycle,
    };
    struct part {
        node_id node;
        /// Ascending.
        std::vector<candidate_index> candidates;

        friend auto operator<=>(const part&, const part&) = default;
    };

    kind of = kind::clique;
    std::vector<part> parts;

    friend auto operator<=>(const cycle_cut&, const cycle_cut&) = default;
};

/// Finds what a cover with a cycle between parts breaks. Two parts that reach each other break a clique of candidates any two of which
/// overlap or reach each other: a clique inequality of set packing (Padberg 1973). A longer cycle breaks a combinatorial Benders cut
/// (Codato and Fischetti 2006): its parts are not chosen together, nor any that join the same nodes. Refers to the index, which must
/// outlive it.
class cycle_separator {
public:
    explicit cycle_separator(const problem_index& index)
        : index_(&index), shape_(index), reach_(index.candidates()), closes_(index.candidates(), unknown), entered_(index.nodes()) {}

    /// Cuts that disjoint candidates which cover all nodes break, and that were not found before. A clique is as large as candidates of
    /// `others`, in that order, make it; all that it has must be in there.
    [[nodiscard]] std::vector<cycle_cut> broken_by(std::span<const candidate_index> chosen, std::span<const candidate_index> others) {
        std::vector<cycle_cut> made;
        std::vector<candidate_index> open;
        for (const candidate_index c : chosen)
            if (may_close_cycle(c)) open.push_back(c);
        std::vector<conflict> broken;
        std::vector<std::uint8_t> in_pair(open.size(), 0);
        for (std::size_t i = 0; i < open.size() && work_ < most_work; ++i) {
            for (std::size_t j = i + 1; j < open.size(); ++j) {
                if (!exclude(open[i], open[j])) continue;
                in_pair[i] = in_pair[j] = 1;
                const auto covers_pair = [&](const conflict& clique) {
                    return std::find(clique.begin(), clique.end(), open[i]) != clique.end() &&
                           std::find(clique.begin(), clique.end(), open[j]) != clique.end();
                };
                if (std::any_of(broken.begin(), broken.end(), covers_pair)) continue;
                broken.push_back(grown({open[i], open[j]}, others));
                keep(parts_of(broken.back()), made);
            }
        }
        const std::vector<candidate_index> owner = owners(*index_, chosen);
        for (std::size_t i = 0; i < open.size() && work_ < most_work; ++i)
            if (in_pair[i] == 0) keep(shortest_cycle(owner, open[i]), made);
        return made;
    }

    /// Whether no acyclic cover has both: they overlap, or each has a node that reaches one of the other's.
    [[nodiscard]] bool exclude(candidate_index c, candidate_index d) {
        const auto x = index_->members(c), y = index_->members(d);
        for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
            if (x[i] == y[j]) return true;
            ++(x[i] < y[j] ? i : j);
        }
        return meets(c, y) && meets(d, x);
    }

private:
    using conflict = std::vector<candidate_index>;

    static constexpr std::uint8_t unknown = 2;
    /// Nodes walked through in all: the reach of one candidate takes as many as there are.
    static constexpr double most_work = 2e8;

    void keep(cycle_cut cut, std::vector<cycle_cut>& made) {
        if (cut.parts.size() > 1 && found_.insert(cut).second) made.push_back(std::move(cut));
    }

    [[nodiscard]] bool may_close_cycle(candidate_index c) {
        if (index_->members(c).size() < 2) return false;
        if (closes_[c] == unknown) closes_[c] = shape_(c) == candidate_shape::may_close_cycle ? 1 : 0;
        return closes_[c] != 0;
    }

    /// Whether a way leads from a node of c to one of these.
    [[nodiscard]] bool meets(candidate_index c, std::span<const node_id> nodes) {
        constexpr std::size_t bits = 64;
        std::vector<std::uint64_t>& reached = reach_[c];
        if (reached.empty()) {
            reached.assign(index_->nodes() / bits + 1, 0);
            const auto mark = [&](node_id v) { reached[v / bits] |= std::uint64_t{1} << (v % bits); };
            const auto members = index_->members(c);
            for (const node_id v : members) mark(v);
            for (std::size_t v = members[0]; v < index_->nodes(); ++v) {
                if ((reached[v / bits] >> (v % bits) & 1) == 0) continue;
                for (const node_id w : index_->users(static_cast<node_id>(v))) mark(w);
            }
            work_ += static_cast<double>(index_->nodes());
        }
        return std::any_of(nodes.begin(), nodes.end(), [&](node_id v) { return (reached[v / bits] >> (v % bits) & 1) != 0; });
    }

    [[nodiscard]] conflict grown(conflict clique, std::span<const candidate_index> others) {
        for (const candidate_index c : others) {
            if (c == clique[0] || c == clique[1] || !may_close_cycle(c)) continue;
            if (std::all_of(clique.begin(), clique.end(), [&](candidate_index d) { return exclude(c, d); })) clique.push_back(c);
        }
        return clique;
    }

    /// A clique by few nodes that its candidates have: again and again the node that most of what is left have; of several the first.
    [[nodiscard]] cycle_cut parts_of(conflict left) const {
        cycle_cut made;
        std::vector<node_id> nodes;
        while (!left.empty()) {
            nodes.clear();
            for (const candidate_index c : left) nodes.insert(nodes.end(), index_->members(c).begin(), index_->members(c).end());
            std::sort(nodes.begin(), nodes.end());
            node_id best = nodes[0];
            std::size_t most = 0;
            for (std::size_t i = 0; i < nodes.size();) {
                const std::size_t first = i;
                while (i < nodes.size() && nodes[i] == nodes[first]) ++i;
                if (i - first > most) {
                    most = i - first;
                    best = nodes[first];
                }
            }
            cycle_cut::part here{best, {}};
            conflict rest;
            for (const candidate_index c : left) (problem_index::has(index_->members(c), best) ? here.candidates : rest).push_back(c);
            std::sort(here.candidates.begin(), here.candidates.end());
            made.parts.push_back(std::move(here));
            left = std::move(rest);
        }
        std::sort(made.parts.begin(), made.parts.end());
        return made;
    }

    /// The cut of a cycle of fewest parts through a chosen candidate; without parts where it is on none.
    [[nodiscard]] cycle_cut shortest_cycle(std::span<const candidate_index> owner, candidate_index start) {
        constexpr problem_edge none{0, 0};
        const auto known = [&](candidate_index c) -> problem_edge& { return entered_[index_->members(c)[0]]; };
        std::fill(entered_.begin(), entered_.end(), none);
        work_ += static_cast<double>(index_->nodes());
        std::vector<candidate_index> queue = {start};
        problem_edge closing = none;
        for (std::size_t next = 0; next < queue.size() && closing.to == 0; ++next) {
            for (const node_id u : index_->members(queue[next])) {
                for (const node_id v : index_->users(u)) {
                    const candidate_index to = owner[v];
                    if (to == queue[next]) continue;
                    if (to == start) closing = {u, v};
                    if (to == start || known(to).to != 0) continue;
                    known(to) = {u, v};
                    queue.push_back(to);
                }
            }
        }
        cycle_cut made;
        made.of = cycle_cut::kind::cycle;
        if (closing.to == 0) return made;
        // Each part from the node at which the cycle enters it to the one at which it leaves.
        std::vector<std::pair<node_id, node_id>> ends;
        node_id leaves = closing.from;
        for (candidate_index at = owner[leaves]; at != start; at = owner[leaves]) {
            ends.emplace_back(known(at).to, leaves);
            leaves = known(at).from;
        }
        ends.emplace_back(closing.to, leaves);
        const auto joins = [&](candidate_index c, const std::pair<node_id, node_id>& e) {
            return problem_index::has(index_->members(c), e.first) && problem_index::has(index_->members(c), e.second);
        };
        // Where a way of the graph leads from one to the other the part is not needed for the cycle.
        std::erase_if(ends, [&](const auto& e) { return !may_close_cycle(owner[e.first]) || leads(e.first, e.second); });
        for (const auto& e : ends) {
            cycle_cut::part part{e.first, {}};
            for (const candidate_index c : index_->covering(e.first)) {
                // One that joins two stretches of the cycle may have all of it inside.
                if (joins(c, e) && std::count_if(ends.begin(), ends.end(), [&](const auto& other) { return joins(c, other); }) == 1)
                    part.candidates.push_back(c);
            }
            made.parts.push_back(std::move(part));
        }
        std::sort(made.parts.begin(), made.parts.end());
        return made;
    }

    [[nodiscard]] bool leads(node_id from, node_id to) {
        if (from == to) return true;
        if (to < from) return false;
        std::vector<std::uint8_t> reached(to - from + 1, 0);
        reached[0] = 1;
        for (node_id v = from; v < to; ++v) {
            if (reached[v - from] == 0) continue;
            for (const node_id w : index_->users(v))
                if (w <= to) reached[w - from] = 1;
        }
        return reached[to - from] != 0;
    }

    const problem_index* index_;
    detail::shape_of_candidate shape_;
    /// The nodes that each candidate reaches, where that was asked for.
    std::vector<std::vector<std::uint64_t>> reach_;
    std::vector<std::uint8_t> closes_;
    /// By the first node of a part: over which edge a search along parts came to it.
    std::vector<problem_edge> entered_;
    std::set<cycle_cut> found_;
    double work_ = 0;
};

/// A cover network whose assignments break none of the cuts. Each is an auxiliary variable: the part that a candidate is chosen of, or
/// none; or, for a cycle, a part of which none is. Tables of the original are shared: it must outlive the answer.
[[nodiscard]] inline cover_network with_cuts(const cover_network& original, std::span<const cycle_cut> cuts) {
    cover_network made;
    made.m.unary = original.m.unary;
    made.m.pairs = original.m.pairs;
    made.m.constant = original.m.constant;
    made.nodes = original.nodes;
    made.meaning = original.meaning;
    made.ready = original.ready;
    made.auxiliary_of = original.auxiliary_of;
    made.representative = original.representative;
    made.entries = original.entries;
    // Class 1 has a member, or is the value that says so.
    constexpr fixed_cost agree[] = {0, infinite_cost, infinite_cost, 0};
    constexpr fixed_cost not_both[] = {0, 0, 0, infinite_cost};
    detail::table_maker tables;
    std::vector<std::uint32_t> a_of, b_of;
    for (const cycle_cut& cut : cuts) {
        const bool clique = cut.of == cycle_cut::kind::clique;
        const std::size_t values = cut.parts.size() + (clique ? 1 : 0);
        const auto variable = static_cast<std::uint32_t>(made.m.variables());
        made.auxiliary_of.push_back(cut.parts[cut.parts.size() / 2].node);
        made.m.unary.items.insert(made.m.unary.items.end(), values, 0);
        made.m.unary.close();
        for (std::size_t k = 0; k < cut.parts.size(); ++k) {
            const auto& [v, members] = cut.parts[k];
            const auto meaning = made.meaning[v];
            a_of.resize(meaning.size());
            for (std::size_t x = 0; x < meaning.size(); ++x)
                a_of[x] = std::binary_search(members.begin(), members.end(), meaning[x]) ? 1u : 0u;
            b_of.assign(values, 0);
            b_of[k] = 1;
            tables.add(made.m, v, variable, a_of, 2, b_of, 2, clique ? agree : not_both);
        }
    }
    made.m.sort_pairs();
    return made;
}

}  // namespace inlay

#endif
