// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PARTITION_PARTITION_HPP
#define INLAY_PARTITION_PARTITION_HPP

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/graph/concepts.hpp>

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

}  // namespace detail

/// Cuts a graph by the candidates of a selection (numbers in the set, each node to cover in exactly one of them, no cycle between
/// them: what `select` promises). Parts are the connected pieces of maximal runs of one owner; since parts follow the order in which
/// they run, the graph of parts has no cycle. Merging changes no price. O((nodes + edges) log nodes).
template <graph G>
[[nodiscard]] partitioned partition(const G& g, const candidate_set& set, std::span<const std::size_t> chosen) {
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

    const std::vector<std::size_t> order = detail::run_order(g, set, chosen);
    std::vector<std::size_t> place(g.size(), nobody);
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const node_id n : set.candidates[order[i]].nodes) place[n] = i;
    for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
        const backend_id owner = set.candidates[order[first]].backend;
        while (last < order.size() && set.candidates[order[last]].backend == owner) ++last;
        std::vector<std::size_t> piece(last - first);
        for (std::size_t i = 0; i < piece.size(); ++i) piece[i] = i;
        const auto find = [&](std::size_t i) {
            while (piece[i] != i) i = piece[i] = piece[piece[i]];
            return i;
        };
        for (std::size_t i = first; i < last; ++i)
            for (const node_id input : set.candidates[order[i]].inputs)
                if (place[input] != nobody && place[input] >= first && place[input] < i) {
                    const std::size_t a = find(i - first), b = find(place[input] - first);
                    piece[std::max(a, b)] = std::min(a, b);
                }
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

}  // namespace inlay

#endif
