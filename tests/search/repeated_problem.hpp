// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_SEARCH_REPEATED_PROBLEM_HPP
#define INLAY_TESTS_SEARCH_REPEATED_PROBLEM_HPP

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <inlay/search/problem.hpp>

#include "random_problem.hpp"

namespace inlay {

/// A random problem of some nodes, `count` equal stretches of `period` nodes and some nodes more. A stretch reads the last node of the one
/// before it, and now and then nodes before all of them; candidates reach over its beginning.
[[nodiscard]] inline problem random_repeated_problem(std::uint64_t seed, std::uint32_t count) {
    random_numbers numbers{seed};
    problem made;
    const std::uint32_t before = 1 + numbers.below(3), period = 3 + numbers.below(4), after = numbers.below(3);
    made.nodes = before + period * count + after;
    made.formats = 1 + numbers.below(3);
    made.conversions = uniform_conversions(made.formats, 0);
    for (std::size_t f = 0; f < made.formats; ++f)
        for (std::size_t g = 0; g < made.formats; ++g)
            if (f != g) made.conversions[f * made.formats + g] = numbers.quarters(6);
    made.share_conversions = numbers.chance(60);
    made.acyclic = numbers.chance(60);
    std::set<std::pair<node_id, node_id>> edges;
    for (node_id v = 1; v < before; ++v) edges.emplace(v - 1, v);
    for (node_id v = before + period * count; v < made.nodes; ++v) edges.emplace(v - 1, v);
    const auto first = [&](std::uint32_t i) { return before + period * i; };
    // Within a stretch, with -1 for the last node of the one before.
    std::set<std::pair<int, int>> inner;
    for (int v = 0; v < static_cast<int>(period); ++v) {
        inner.emplace(v - 1 - static_cast<int>(numbers.below(static_cast<std::uint32_t>(v) + 1)), v);
        if (numbers.chance(40)) inner.emplace(v - 1 - static_cast<int>(numbers.below(static_cast<std::uint32_t>(v) + 1)), v);
    }
    for (int v = 0; v + 1 < static_cast<int>(period); ++v)
        if (std::none_of(inner.begin(), inner.end(), [&](const auto& e) { return e.first == v; })) inner.emplace(v, static_cast<int>(period) - 1);
    const bool reads_outside = numbers.chance(40);
    const std::uint32_t reader = numbers.below(period), outside = numbers.below(before);
    for (std::uint32_t i = 0; i < count; ++i) {
        for (const auto& [u, v] : inner) edges.emplace(static_cast<node_id>(static_cast<int>(first(i)) + u), static_cast<node_id>(static_cast<int>(first(i)) + v));
        if (reads_outside) edges.emplace(outside, first(i) + reader);
    }
    for (const auto& [u, v] : edges) made.edges.push_back({u, v});

    const auto draw = [&](problem_candidate c) {
        c.cost = numbers.quarters(static_cast<std::uint32_t>(3 + 3 * c.nodes.size()));
        c.backend = numbers.below(3);
        c.in = numbers.below(made.formats);
        c.out = numbers.below(made.formats);
        return c;
    };
    const auto alone = [&](node_id v) {
        for (std::uint32_t f = 0; f < made.formats; ++f) {
            made.candidates.push_back(draw({.nodes = {v}, .cost = 0}));
            made.candidates.back().in = made.candidates.back().out = f;
        }
    };
    for (node_id v = 0; v < before; ++v) alone(v);
    for (node_id v = first(count); v < made.nodes; ++v) alone(v);
    std::vector<std::pair<std::vector<int>, problem_candidate>> drawn;
    for (int v = 0; v < static_cast<int>(period); ++v)
        for (std::uint32_t f = 0; f < made.formats; ++f) {
            drawn.emplace_back(std::vector<int>{v}, draw({.nodes = {0}, .cost = 0}));
            drawn.back().second.in = drawn.back().second.out = f;
        }
    for (std::uint32_t k = 0; k < period * 2; ++k) {
        std::set<int> nodes;
        const std::uint32_t size = 2 + numbers.below(2);
        while (nodes.size() < size) nodes.insert(static_cast<int>(numbers.below(period + 2)) - 2);
        if (*nodes.rbegin() < 0) continue;
        drawn.emplace_back(std::vector<int>(nodes.begin(), nodes.end()), draw({.nodes = std::vector<node_id>(size), .cost = 0}));
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        for (const auto& [places, c] : drawn) {
            if (static_cast<int>(first(i)) + places[0] < 0) continue;
            made.candidates.push_back(c);
            made.candidates.back().nodes.clear();
            for (const int place : places) made.candidates.back().nodes.push_back(static_cast<node_id>(static_cast<int>(first(i)) + place));
        }
    }
    return made;
}

}  // namespace inlay

#endif
