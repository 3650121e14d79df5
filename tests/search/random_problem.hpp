// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_SEARCH_RANDOM_PROBLEM_HPP
#define INLAY_TESTS_SEARCH_RANDOM_PROBLEM_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay {

/// Numbers that look random and are the same on every machine (splitmix64).
struct random_numbers {
    std::uint64_t state = 0;

    std::uint64_t next() {
        std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    /// A number from 0 to `count - 1`.
    std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(next() % count); }
    bool chance(std::uint32_t percent) { return below(100) < percent; }
    /// A multiple of 1/4 below `limit`: such prices add up exactly, so that ties are ties.
    double quarters(std::uint32_t limit) { return static_cast<double>(below(limit * 4)) / 4; }
    /// Any number below `limit`.
    double real(double limit) { return limit * static_cast<double>(next() >> 11) * 0x1p-53; }
};

/// A small valid problem with a bit of everything that a problem can have: tables of single nodes, impossible conversions, formats
/// by producer and by node, disconnected and non-convex candidates, equal candidates, either sharing and acyclicity, and now and then
/// no cover at all.
[[nodiscard]] inline problem random_small_problem(std::uint64_t seed, std::uint32_t most_nodes = 8) {
    random_numbers numbers{seed};
    problem made;
    made.nodes = 1 + numbers.below(most_nodes);
    made.formats = numbers.chance(15) ? 5 + numbers.below(5) : 1 + numbers.below(4);
    const bool exact_prices = numbers.chance(60);
    const auto cost = [&](std::uint32_t limit) { return exact_prices ? numbers.quarters(limit) : numbers.real(limit); };
    const std::uint32_t density = 15 + numbers.below(60);
    for (node_id u = 0; u < made.nodes; ++u) {
        for (node_id v = u + 1; v < made.nodes; ++v) {
            if (numbers.chance(density) || (v == u + 1 && numbers.chance(50))) made.edges.push_back({u, v});
        }
    }
    const std::uint32_t nulls = numbers.chance(50) ? 0 : numbers.below(40);
    const auto table = [&] {
        std::vector<double> prices = uniform_conversions(made.formats, 0);
        for (std::size_t f = 0; f < made.formats; ++f) {
            for (std::size_t g = 0; g < made.formats; ++g) {
                if (f != g) prices[f * made.formats + g] = numbers.chance(nulls) ? impossible : cost(6);
            }
        }
        return prices;
    };
    made.conversions = table();
    for (node_id u = 0; u < made.nodes; ++u) {
        if (numbers.chance(20)) made.conversions_of.push_back({u, table()});
    }
    made.share_conversions = numbers.chance(70);
    made.acyclic = numbers.chance(70);

    const auto add = [&](std::vector<node_id> nodes) {
        problem_candidate c;
        c.nodes = std::move(nodes);
        c.cost = cost(static_cast<std::uint32_t>(3 + 3 * c.nodes.size()));
        c.backend = numbers.below(3);
        c.in = numbers.below(made.formats);
        c.out = numbers.chance(60) ? c.in : numbers.below(made.formats);
        const auto covered = [&](node_id v) { return std::find(c.nodes.begin(), c.nodes.end(), v) != c.nodes.end(); };
        std::set<node_id> producers;
        for (const problem_edge& e : made.edges) {
            if (covered(e.to) && !covered(e.from)) producers.insert(e.from);
        }
        for (const node_id u : producers) {
            if (numbers.chance(20)) c.in_of.push_back({u, numbers.below(made.formats)});
        }
        for (const node_id v : c.nodes) {
            if (numbers.chance(20)) c.out_of.push_back({v, numbers.below(made.formats)});
        }
        made.candidates.push_back(std::move(c));
    };
    const std::uint32_t covering = numbers.chance(85) ? 100 : 60;
    for (node_id v = 0; v < made.nodes; ++v) {
        const std::uint32_t ways = 1 + numbers.below(3);
        for (std::uint32_t w = 0; w < ways; ++w) {
            if (numbers.chance(covering)) add({v});
        }
    }
    const std::uint32_t fusions = numbers.below(2 * made.nodes + 1);
    for (std::uint32_t k = 0; k < fusions; ++k) {
        std::vector<node_id> nodes = {numbers.below(made.nodes)};
        const std::uint32_t size = 2 + numbers.below(3);
        const bool anywhere = numbers.chance(35);
        for (std::uint32_t tries = 0; nodes.size() < size && tries < 12; ++tries) {
            node_id w = numbers.below(made.nodes);
            const auto in = [&](node_id v) { return std::find(nodes.begin(), nodes.end(), v) != nodes.end(); };
            if (in(w)) continue;
            const auto joins = [&](const problem_edge& e) { return (e.from == w && in(e.to)) || (e.to == w && in(e.from)); };
            if (anywhere || std::any_of(made.edges.begin(), made.edges.end(), joins)) nodes.push_back(w);
        }
        add(std::move(nodes));
    }
    if (!made.candidates.empty() && numbers.chance(30)) {
        const problem_candidate twin = made.candidates[numbers.below(static_cast<std::uint32_t>(made.candidates.size()))];
        made.candidates.push_back(twin);
        if (numbers.chance(50)) made.candidates.back().cost += cost(2);
    }
    return made;
}

/// Calls `use(seed, problem)` for each of the first so many small problems whose every node is in some candidate.
template <class Use>
void each_coverable_problem(std::uint64_t seeds, std::uint32_t most_nodes, const Use& use) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        CAPTURE(seed);
        problem p = random_small_problem(seed, most_nodes);
        if (first_uncovered(p) == no_node) use(seed, std::move(p));
    }
}

/// Wirings of inference networks, number of nodes included.
namespace topology {

using edges = std::vector<problem_edge>;

/// A chain of `blocks` blocks of `depth` nodes, each block's input added to its output: ResNet-like (16 blocks of 10: 177 nodes).
[[nodiscard]] inline std::pair<std::uint32_t, edges> residual(std::uint32_t blocks, std::uint32_t depth) {
    edges made;
    node_id last = 0;
    for (std::uint32_t b = 0; b < blocks; ++b) {
        const node_id input = last;
        for (std::uint32_t d = 0; d < depth; ++d, ++last) made.push_back({last, last + 1});
        made.push_back({last, last + 1});
        made.push_back({input, ++last});
    }
    return {last + 1, made};
}

/// `blocks` blocks of four branches of 1, 3, 5 and 2 nodes between a split and a concatenation.
[[nodiscard]] inline std::pair<std::uint32_t, edges> inception(std::uint32_t blocks) {
    edges made;
    node_id last = 0;
    for (std::uint32_t b = 0; b < blocks; ++b) {
        const node_id input = last;
        std::vector<node_id> ends;
        for (const std::uint32_t depth : {1u, 3u, 5u, 2u}) {
            node_id from = input;
            for (std::uint32_t d = 0; d < depth; ++d) {
                made.push_back({from, ++last});
                from = last;
            }
            ends.push_back(from);
        }
        ++last;
        for (const node_id end : ends) made.push_back({end, last});
    }
    return {last + 1, made};
}

/// Dense blocks in which the concatenation before each layer reads every layer before it: DenseNet with flat concatenations.
[[nodiscard]] inline std::pair<std::uint32_t, edges> dense(const std::vector<std::uint32_t>& layers) {
    edges made;
    node_id last = 0;
    for (const std::uint32_t count : layers) {
        std::vector<node_id> tensors = {last};
        for (std::uint32_t k = 0; k < count; ++k) {
            const node_id concat = ++last;
            for (const node_id t : tensors) made.push_back({t, concat});
            for (int d = 0; d < 5; ++d, ++last) made.push_back({last, last + 1});
            tensors.push_back(last);
        }
        const node_id concat = ++last;
        for (const node_id t : tensors) made.push_back({t, concat});
        for (int d = 0; d < 3; ++d, ++last) made.push_back({last, last + 1});
    }
    return {last + 1, made};
}

/// Cells that read the outputs of the two cells before and join five pairs of branches: NasNet-like (25 cells: about 900 nodes).
[[nodiscard]] inline std::pair<std::uint32_t, edges> cells(std::uint32_t count, std::uint64_t seed) {
    edges made;
    random_numbers numbers{seed};
    node_id before = 0;
    node_id current = 1;
    made.push_back({0, 1});
    node_id last = 1;
    for (std::uint32_t k = 0; k < count; ++k) {
        made.push_back({before, ++last});
        std::vector<node_id> inputs = {last};
        made.push_back({current, ++last});
        inputs.push_back(last);
        std::vector<node_id> ends;
        for (int pair = 0; pair < 5; ++pair) {
            node_id ends_of[2];
            for (node_id& end : ends_of) {
                node_id from = inputs[numbers.below(static_cast<std::uint32_t>(inputs.size()))];
                const std::uint32_t depth = 1 + numbers.below(4);
                for (std::uint32_t d = 0; d < depth; ++d) {
                    made.push_back({from, ++last});
                    from = last;
                }
                end = from;
            }
            ++last;
            made.push_back({ends_of[0], last});
            made.push_back({ends_of[1], last});
            ends.push_back(last);
            if (pair == 0) inputs.push_back(last);
        }
        ++last;
        for (const node_id end : ends) made.push_back({end, last});
        before = current;
        current = last;
    }
    return {last + 1, made};
}

/// Each node reads one to three of the `reach` nodes before it: RandWire-like.
[[nodiscard]] inline std::pair<std::uint32_t, edges> random_wiring(std::uint32_t nodes, std::uint32_t reach, std::uint64_t seed) {
    edges made;
    random_numbers numbers{seed};
    for (node_id v = 1; v < nodes; ++v) {
        const std::uint32_t lowest = v > reach ? v - reach : 0;
        std::set<node_id> producers;
        const std::uint32_t count = 1 + numbers.below(3);
        for (std::uint32_t k = 0; k < count; ++k) producers.insert(lowest + numbers.below(v - lowest));
        for (const node_id u : producers) made.push_back({u, v});
    }
    return {nodes, made};
}

}  // namespace topology

/// How candidates are strewn over a wiring.
struct random_candidates {
    std::uint32_t formats = 3;
    std::uint32_t backends = 4;
    /// Fusions of two and three connected nodes tried per node.
    std::uint32_t fusions = 3;
    bool share_conversions = true;
    bool acyclic = true;
};

/// A problem over a wiring: each node can be run alone by two or three back ends in some format, and connected sets of two and three
/// nodes (not all convex) by some at less than the sum of the parts; random prices.
[[nodiscard]] inline problem random_network(const std::pair<std::uint32_t, topology::edges>& wiring, std::uint64_t seed,
                                            const random_candidates& drawn = {}) {
    random_numbers numbers{seed};
    problem made;
    made.nodes = wiring.first;
    made.edges = wiring.second;
    made.formats = drawn.formats;
    made.share_conversions = drawn.share_conversions;
    made.acyclic = drawn.acyclic;
    made.conversions = uniform_conversions(drawn.formats, 0);
    for (std::size_t f = 0; f < drawn.formats; ++f) {
        for (std::size_t g = 0; g < drawn.formats; ++g) {
            if (f != g) made.conversions[f * drawn.formats + g] = 2 + numbers.real(4);
        }
    }
    std::vector<std::vector<node_id>> near(made.nodes);
    for (const problem_edge& e : made.edges) {
        near[e.from].push_back(e.to);
        near[e.to].push_back(e.from);
    }
    std::vector<double> weight(made.nodes);
    for (double& w : weight) w = 5 + numbers.real(30);
    const auto add = [&](const std::vector<node_id>& nodes, double share) {
        problem_candidate c;
        c.nodes = nodes;
        for (const node_id v : nodes) c.cost += weight[v];
        c.cost *= share * (0.7 + numbers.real(0.6));
        c.backend = numbers.below(drawn.backends);
        c.in = numbers.below(drawn.formats);
        c.out = numbers.chance(80) ? c.in : numbers.below(drawn.formats);
        made.candidates.push_back(std::move(c));
    };
    for (node_id v = 0; v < made.nodes; ++v) {
        const std::uint32_t ways = 2 + numbers.below(2);
        for (std::uint32_t w = 0; w < ways; ++w) add({v}, 1.0);
        for (std::uint32_t k = 0; k < drawn.fusions; ++k) {
            std::vector<node_id> nodes = {v};
            const std::uint32_t size = 2 + numbers.below(2);
            while (nodes.size() < size) {
                const auto& list = near[nodes[numbers.below(static_cast<std::uint32_t>(nodes.size()))]];
                if (list.empty()) break;
                const node_id w = list[numbers.below(static_cast<std::uint32_t>(list.size()))];
                if (std::find(nodes.begin(), nodes.end(), w) == nodes.end()) {
                    nodes.push_back(w);
                } else if (numbers.chance(25)) {
                    break;
                }
            }
            if (nodes.size() > 1) add(nodes, 0.9);
        }
    }
    return made;
}

}  // namespace inlay

#endif
