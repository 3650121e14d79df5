// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_SELECTION_PROBLEM_HPP
#define INLAY_PLAN_SELECTION_PROBLEM_HPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/search/problem.hpp>

namespace inlay {

/// A graph and its candidates as a `problem` of pure numbers, with the way back.
///
/// The problem's nodes are the graph's inputs (one free candidate each, giving its tensor row-major), the nodes to cover, and one sink
/// per result that wants it row-major, so that conversions at the outer border are priced like all others. A candidate of the graph
/// whose price is not finite has no counterpart.
struct selection_problem {
    problem numbers;
    std::vector<format> formats;             // what a format number means
    std::vector<node_id> node_of;            // the graph's node of a problem's node; a sink has its result's node
    std::vector<std::size_t> candidate_of;   // the graph's candidate of a problem's candidate; `none` for free ones
    std::vector<candidate_index> number_of;  // the problem's candidate of a graph's candidate; `none` where it was left out

    static constexpr std::size_t none = 0xFFFF'FFFFu;
};

/// States the problem. `prices` gives each candidate's seconds; `conversion(type, from, to)` the seconds of turning a tensor from one
/// format into another, infinite where nobody can. Linear in nodes, candidates and tensors times formats squared.
template <typed_graph G, class Conversion>
[[nodiscard]] selection_problem state_problem(const G& g, const candidate_set& set, std::span<const double> prices,
                                              Conversion&& conversion) {
    selection_problem stated;
    problem& p = stated.numbers;
    const auto format_number = [&](const format& f) {
        const auto place = static_cast<format_index>(std::find(stated.formats.begin(), stated.formats.end(), f) - stated.formats.begin());
        if (place == stated.formats.size()) stated.formats.push_back(f);
        return place;
    };
    const auto plain_of = [&](node_id n) {
        return format_number(plain_format(static_cast<const node_type&>(g.type(n)).of_tensor.element));
    };

    std::vector<node_id> number(g.size(), no_node);
    const auto add_node = [&](node_id n) {
        stated.node_of.push_back(n);
        return p.nodes++;
    };
    const auto add_free = [&](node_id problem_node, format_index f) {
        problem_candidate free;
        free.nodes = {problem_node};
        free.in = free.out = f;
        p.candidates.push_back(std::move(free));
        stated.candidate_of.push_back(selection_problem::none);
    };

    std::vector<char> is_covered(g.size(), 0), is_read(g.size(), 0);
    for (const node_id n : set.to_cover) {
        is_covered[n] = 1;
        for (std::size_t i = 0; i < g.arity(n); ++i) is_read[g.operand(n, i)] = 1;
    }
    for (node_id n = 0; n < g.size(); ++n) {
        if (is_covered[n] != 0) {
            number[n] = add_node(n);
            std::vector<node_id> from;
            for (std::size_t i = 0; i < g.arity(n); ++i)
                if (number[g.operand(n, i)] != no_node) from.push_back(number[g.operand(n, i)]);
            std::sort(from.begin(), from.end());
            from.erase(std::unique(from.begin(), from.end()), from.end());
            for (const node_id u : from) p.edges.push_back({u, number[n]});
        } else if (is_read[n] != 0 && kind_of(g, n) == node_kind::input) {
            number[n] = add_node(n);
            add_free(number[n], plain_of(n));
        }
    }
    std::vector<node_id> sunk;
    for (const node_id n : results_of(g)) {
        if (is_covered[n] == 0 || std::find(sunk.begin(), sunk.end(), n) != sunk.end()) continue;
        sunk.push_back(n);
        const node_id sink = add_node(n);
        p.edges.push_back({number[n], sink});
        add_free(sink, plain_of(n));
    }

    stated.number_of.assign(set.candidates.size(), static_cast<candidate_index>(selection_problem::none));
    for (std::size_t i = 0; i < set.candidates.size(); ++i) {
        const candidate& c = set.candidates[i];
        if (!(prices[i] < impossible)) continue;
        problem_candidate stands;
        for (const node_id n : c.nodes) stands.nodes.push_back(number[n]);
        stands.cost = prices[i];
        stands.backend = c.backend;
        if (!c.formats.inputs.empty()) stands.in = format_number(c.formats.inputs.front());
        if (!c.formats.results.empty()) stands.out = format_number(c.formats.results.front());
        for (std::size_t j = 0; j < c.inputs.size(); ++j)
            if (const format_index f = format_number(c.formats.inputs[j]); f != stands.in) stands.in_of.push_back({number[c.inputs[j]], f});
        for (std::size_t j = 0; j < c.results.size(); ++j)
            if (const format_index f = format_number(c.formats.results[j]); f != stands.out)
                stands.out_of.push_back({number[c.results[j]], f});
        stated.number_of[i] = static_cast<candidate_index>(p.candidates.size());
        p.candidates.push_back(std::move(stands));
        stated.candidate_of.push_back(i);
    }

    const std::size_t count = stated.formats.size();
    p.formats = static_cast<std::uint32_t>(std::max<std::size_t>(count, 1));
    p.conversions = uniform_conversions(p.formats, impossible);
    for (node_id v = 0; v < p.nodes; ++v) {
        const node_id n = stated.node_of[v];
        const node_type& type = g.type(n);
        const bool is_sink = number[n] != v;
        if (!type.is_tensor() || is_sink) continue;
        node_conversions table{v, uniform_conversions(p.formats, impossible)};
        for (std::size_t f = 0; f < count; ++f)
            for (std::size_t t = 0; t < count; ++t)
                if (f != t) table.prices[f * count + t] = conversion(type.of_tensor, stated.formats[f], stated.formats[t]);
        p.conversions_of.push_back(std::move(table));
    }
    return stated;
}

}  // namespace inlay

#endif
