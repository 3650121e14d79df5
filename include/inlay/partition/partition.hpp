// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PARTITION_PARTITION_HPP
#define INLAY_PARTITION_PARTITION_HPP

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/partition/part_rules.hpp>
#include <inlay/partition/part_size.hpp>

namespace inlay {

/// Neighbouring chosen candidates of one owner, run one after the other: what becomes one function with a `Compiler` owner. Each
/// of its candidates is a composite inside it.
struct part {
    backend_id owner = 0;
    std::vector<std::size_t> composites;  // candidates of the set, in the order in which they run
    std::vector<node_id> nodes;           // all theirs, ascending
};

/// A tensor turned from the format in which it is made into one that a reader wants; made once, however many readers want it.
struct conversion {
    node_id tensor = no_node;
    format from;
    format to;

    friend auto operator<=>(const conversion&, const conversion&) = default;
};

/// A graph cut into parts: in the order in which they run, with the conversions between them. Conversions are ordered by tensor and
/// formats.
struct partitioned {
    std::vector<part> parts;
    std::vector<conversion> conversions;
};

namespace detail {

/// The order in which chosen candidates run: operands first, staying with one owner as long as any of its candidates is ready, so
/// that a run of one owner may become one part without closing a cycle. Ties go to the smallest root.
template <graph G>
[[nodiscard]] std::vector<std::size_t> run_order(const G& g, const candidate_set& set, std::span<const std::size_t> chosen) {
    constexpr std::size_t nobody = static_cast<std::size_t>(-1);
    std::vector<std::size_t> maker(g.size(), nobody);
    for (std::size_t k = 0; k < chosen.size(); ++k)
        for (const node_id n : set.candidates[chosen[k]].nodes) maker[n] = k;
    std::vector<std::vector<std::size_t>> readers(chosen.size());
    std::vector<std::size_t> waits(chosen.size(), 0);
    for (std::size_t k = 0; k < chosen.size(); ++k)
        for (const node_id input : set.candidates[chosen[k]].inputs)
            if (maker[input] != nobody) {
                readers[maker[input]].push_back(k);
                ++waits[k];
            }
    std::vector<std::set<std::pair<node_id, std::size_t>>> ready;  // by owner
    const auto make_ready = [&](std::size_t k) {
        const candidate& c = set.candidates[chosen[k]];
        if (c.backend >= ready.size()) ready.resize(c.backend + 1u);
        ready[c.backend].emplace(c.root, k);
    };
    for (std::size_t k = 0; k < chosen.size(); ++k)
        if (waits[k] == 0) make_ready(k);
    std::vector<std::size_t> order;
    std::size_t owner = nobody;
    while (true) {
        if (owner >= ready.size() || ready[owner].empty()) {
            owner = nobody;
            for (std::size_t b = 0; b < ready.size(); ++b)
                if (!ready[b].empty() && (owner == nobody || *ready[b].begin() < *ready[owner].begin())) owner = b;
            if (owner == nobody) return order;
        }
        const std::size_t k = ready[owner].begin()->second;
        ready[owner].erase(ready[owner].begin());
        order.push_back(chosen[k]);
        for (const std::size_t r : readers[k])
            if (--waits[r] == 0) make_ready(r);
    }
}

/// The same where some candidates belong to a set that becomes one part (`set_of`, by place in `chosen`; 0: none): those of one set run one
/// right after the other. Shorter than `chosen` where sets and candidates wait for each other.
template <graph G>
[[nodiscard]] std::vector<std::size_t> run_order(const G& g, const candidate_set& set, std::span<const std::size_t> chosen,
                                                 std::span<const std::size_t> set_of) {
    const std::vector<std::size_t> free_order = run_order(g, set, chosen);
    if (std::all_of(set_of.begin(), set_of.end(), [](std::size_t s) { return s == 0; })) return free_order;
    constexpr std::size_t nobody = static_cast<std::size_t>(-1);
    // A unit is a set, or a candidate of none; its candidates in an order that they can run in.
    std::vector<std::size_t> maker(g.size(), nobody);
    std::vector<std::vector<std::size_t>> units;
    std::map<std::size_t, std::size_t> unit_of_set, kept_in;
    for (std::size_t k = 0; k < chosen.size(); ++k) kept_in[chosen[k]] = set_of[k];
    for (const std::size_t c : free_order) {
        std::size_t unit = units.size();
        if (const std::size_t kept = kept_in[c]; kept != 0) unit = unit_of_set.try_emplace(kept, unit).first->second;
        if (unit == units.size()) units.emplace_back();
        units[unit].push_back(c);
        for (const node_id n : set.candidates[c].nodes) maker[n] = unit;
    }
    std::vector<std::vector<std::size_t>> readers(units.size());
    std::vector<std::size_t> waits(units.size(), 0);
    for (std::size_t u = 0; u < units.size(); ++u)
        for (const std::size_t c : units[u])
            for (const node_id input : set.candidates[c].inputs)
                if (maker[input] != nobody && maker[input] != u) {
                    readers[maker[input]].push_back(u);
                    ++waits[u];
                }
    std::set<std::size_t> ready;
    for (std::size_t u = 0; u < units.size(); ++u)
        if (waits[u] == 0) ready.insert(u);
    std::vector<std::size_t> order;
    backend_id owner = 0;
    while (!ready.empty()) {
        // Of those that can run, the first of the same owner as the last, so that its run goes on; else the first.
        auto next = std::find_if(ready.begin(), ready.end(),
                                 [&](std::size_t u) { return !order.empty() && set.candidates[units[u].front()].backend == owner; });
        if (next == ready.end()) next = ready.begin();
        const std::size_t unit = *next;
        ready.erase(next);
        owner = set.candidates[units[unit].front()].backend;
        order.insert(order.end(), units[unit].begin(), units[unit].end());
        for (const std::size_t reader : readers[unit])
            if (--waits[reader] == 0) ready.insert(reader);
    }
    return order;
}

/// Cuts connected pieces of a run that do not fit into several; `piece` gives each candidate of the run an earlier one of its piece, or
/// itself. Each candidate joins the last part made that it reads from, or begins one: so parts read from earlier ones alone.
template <class Fits>
void cut_down(const candidate_set& set, std::span<const std::size_t> run, const std::vector<std::size_t>& place, std::size_t first,
              std::vector<std::size_t>& piece, const Fits& fits) {
    constexpr std::size_t nobody = static_cast<std::size_t>(-1);
    std::map<std::size_t, std::vector<std::size_t>> pieces;
    for (std::size_t i = 0; i < run.size(); ++i) {
        std::size_t root = i;
        while (piece[root] != root) root = piece[root];
        pieces[root].push_back(i);
    }
    const auto with = [&](std::vector<node_id> nodes, std::size_t i) {
        const auto& more = set.candidates[run[i]].nodes;
        nodes.insert(nodes.end(), more.begin(), more.end());
        std::sort(nodes.begin(), nodes.end());
        return nodes;
    };
    for (const auto& [root, members] : pieces) {
        std::vector<node_id> whole;
        for (const std::size_t i : members) whole = with(std::move(whole), i);
        if (members.size() == 1 || fits(std::span<const node_id>(whole))) continue;
        // By the first candidate of each part: its nodes.
        std::map<std::size_t, std::vector<node_id>> parts;
        for (const std::size_t i : members) {
            std::size_t last = nobody;
            for (const node_id input : set.candidates[run[i]].inputs)
                if (place[input] != nobody && place[input] >= first && place[input] < first + i) {
                    const std::size_t from = piece[place[input] - first];
                    last = last == nobody ? from : std::max(last, from);
                }
            piece[i] = i;
            if (last != nobody)
                if (std::vector<node_id> joined = with(parts[last], i); fits(std::span<const node_id>(joined))) {
                    parts[last] = std::move(joined);
                    piece[i] = last;
                    continue;
                }
            parts[i] = with({}, i);
        }
    }
}

template <graph G, class Capped, class Fits>
[[nodiscard]] partitioned cut_by(const G& g, const candidate_set& set, std::span<const std::size_t> chosen,
                                 std::span<const std::size_t> set_of, bool merge, const Capped& is_capped, const Fits& fits) {
    constexpr std::size_t nobody = static_cast<std::size_t>(-1);
    partitioned result;

    std::vector<format> made_in(g.size());
    std::vector<char> is_made(g.size(), 0);
    for (const std::size_t c : chosen) {
        const candidate& k = set.candidates[c];
        for (std::size_t i = 0; i < k.results.size(); ++i) {
            made_in[k.results[i]] = k.formats.results[i];
            is_made[k.results[i]] = 1;
        }
    }
    std::set<conversion> wanted;
    const auto want = [&](node_id n, const format& f) {
        const format have = is_made[n] != 0 ? made_in[n] : plain_format(f.element);
        if (have != f) wanted.insert({n, have, f});
    };
    for (const std::size_t c : chosen) {
        const candidate& k = set.candidates[c];
        for (std::size_t i = 0; i < k.inputs.size(); ++i) want(k.inputs[i], k.formats.inputs[i]);
    }
    for (const node_id n : results_of(g))
        if (is_made[n] != 0) want(n, plain_format(made_in[n].element));
    result.conversions.assign(wanted.begin(), wanted.end());

    const std::vector<std::size_t> order = run_order(g, set, chosen, set_of);
    std::vector<std::size_t> place(g.size(), nobody);
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const node_id n : set.candidates[order[i]].nodes) place[n] = i;
    std::map<std::size_t, std::size_t> kept_in;
    for (std::size_t k = 0; k < chosen.size(); ++k) kept_in[chosen[k]] = set_of[k];
    for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
        const backend_id owner = set.candidates[order[first]].backend;
        const std::size_t kept = kept_in[order[first]];
        while (last < order.size() && set.candidates[order[last]].backend == owner && kept_in[order[last]] == kept) ++last;
        std::vector<std::size_t> piece(last - first);
        for (std::size_t i = 0; i < piece.size(); ++i) piece[i] = i;
        const auto find = [&](std::size_t i) {
            while (piece[i] != i) i = piece[i] = piece[piece[i]];
            return i;
        };
        for (std::size_t i = first; i < last; ++i)
            for (const node_id input : set.candidates[order[i]].inputs)
                if (merge && place[input] != nobody && place[input] >= first && place[input] < i) {
                    const std::size_t a = find(i - first), b = find(place[input] - first);
                    piece[std::max(a, b)] = std::min(a, b);
                }
        if (kept != 0)
            std::fill(piece.begin(), piece.end(), std::size_t{0});
        else if (is_capped(owner))
            cut_down(set, std::span(order).subspan(first, last - first), place, first, piece,
                     [&](std::span<const node_id> nodes) { return fits(owner, nodes); });
        std::vector<std::size_t> part_of(piece.size(), nobody);
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t root = find(i - first);
            if (part_of[root] == nobody) {
                part_of[root] = result.parts.size();
                result.parts.push_back({owner, {}, {}});
            }
            part& p = result.parts[part_of[root]];
            p.composites.push_back(order[i]);
            p.nodes.insert(p.nodes.end(), set.candidates[order[i]].nodes.begin(), set.candidates[order[i]].nodes.end());
        }
    }
    for (part& p : result.parts) std::sort(p.nodes.begin(), p.nodes.end());
    return result;
}

}  // namespace detail

/// Cuts a graph by the candidates of a selection (numbers in the set, each node to cover in exactly one of them, no cycle between them:
/// what `select` promises). Parts are the connected pieces of maximal runs of one owner; since parts follow the order in which they run,
/// the graph of parts has no cycle. Merging changes no price. O((nodes + edges) log nodes).
///
/// With rules, what is to be kept is one part each, and pieces that would break a cap are cut into several: in the order in which they
/// run, each candidate joins the last part that it reads from as far as that stays within the caps. A candidate that breaks a cap by
/// itself is a part by itself. Where a kept part would wait for something that waits for it, both are left out, and the cut covers less
/// than was chosen.
template <typed_graph G>
[[nodiscard]] partitioned partition(const G& g, const candidate_set& set, std::span<const std::size_t> chosen, const part_rules& rules) {
    std::vector<std::size_t> set_of_node(rules.kept.empty() ? std::size_t{0} : static_cast<std::size_t>(g.size()), 0),
        set_of(chosen.size(), 0);
    for (std::size_t s = 0; s < rules.kept.size(); ++s)
        for (const node_id n : rules.kept[s]) set_of_node[n] = s + 1;
    if (!rules.kept.empty())
        for (std::size_t k = 0; k < chosen.size(); ++k) set_of[k] = set_of_node[set.candidates[chosen[k]].nodes.front()];
    if (rules.caps.empty())
        return detail::cut_by(
            g, set, chosen, set_of, rules.merge, [](backend_id) { return false; },
            [](backend_id, std::span<const node_id>) { return true; });
    part_sizes<G> sizes(g);
    const auto is_capped = [&](backend_id owner) {
        return std::any_of(rules.caps.begin(), rules.caps.end(), [&](const part_cap& cap) { return cap.backend == owner; });
    };
    const auto fits = [&](backend_id owner, std::span<const node_id> nodes) {
        const part_size size = sizes(nodes);
        return std::all_of(rules.caps.begin(), rules.caps.end(),
                           [&](const part_cap& cap) { return cap.backend != owner || cap.admits(size); });
    };
    return detail::cut_by(g, set, chosen, set_of, rules.merge, is_capped, fits);
}

/// The same without rules.
template <graph G>
[[nodiscard]] partitioned partition(const G& g, const candidate_set& set, std::span<const std::size_t> chosen) {
    const std::vector<std::size_t> no_sets(chosen.size(), 0);
    return detail::cut_by(
        g, set, chosen, no_sets, true, [](backend_id) { return false; }, [](backend_id, std::span<const node_id>) { return true; });
}

}  // namespace inlay

#endif
