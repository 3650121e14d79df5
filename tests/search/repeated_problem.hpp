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
        if (std::none_of(inner.begin(), inner.end(), [&](const auto& e) { return e.first == v; }))
            inner.emplace(v, static_cast<int>(period) - 1);
    const bool reads_outside = numbers.chance(40);
    const std::uint32_t reader = numbers.below(period), outside = numbers.below(before);
    for (std::uint32_t i = 0; i < count; ++i) {
        for (const auto& [u, v] : inner)
            edges.emplace(static_cast<node_id>(static_cast<int>(first(i)) + u), static_cast<node_id>(static_cast<int>(first(i)) + v));
        if (reads_outside) edges.emplace(outside, first(i) + reader);
    }
    for (const auto& [u, v] : edges) made.edges.push_back({u, v});

    const auto rounding = [&](problem_candidate c) {
        c.cost = numbers.quarters(static_cast<std::uint32_t>(3 + 3 * c.nodes.size()));
        c.backend = numbers.below(3);
        c.in = numbers.below(made.formats);
        c.out = numbers.below(made.formats);
        return c;
    };
    const auto alone = [&](node_id v) {
        for (std::uint32_t f = 0; f < made.formats; ++f) {
            made.candidates.push_back(rounding({.nodes = {v}, .cost = 0}));
            made.candidates.back().in = made.candidates.back().out = f;
        }
    };
    for (node_id v = 0; v < before; ++v) alone(v);
    for (node_id v = first(count); v < made.nodes; ++v) alone(v);
    std::vector<std::pair<std::vector<int>, problem_candidate>> drawn;
    for (int v = 0; v < static_cast<int>(period); ++v)
        for (std::uint32_t f = 0; f < made.formats; ++f) {
            drawn.emplace_back(std::vector<int>{v}, rounding({.nodes = {0}, .cost = 0}));
            drawn.back().second.in = drawn.back().second.out = f;
        }
    for (std::uint32_t k = 0; k < period * 2; ++k) {
        std::set<int> nodes;
        const std::uint32_t size = 2 + numbers.below(2);
        while (nodes.size() < size) nodes.insert(static_cast<int>(numbers.below(period + 2)) - 2);
        if (*nodes.rbegin() < 0) continue;
        drawn.emplace_back(std::vector<int>(nodes.begin(), nodes.end()), rounding({.nodes = std::vector<node_id>(size), .cost = 0}));
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

/// A random problem as above with all that a repeat may have around it: up to three nodes outside that each stretch reads, the last of them
/// perhaps fused with the first stretch; nodes after the stretches that read them too; candidates that reach over the first stretch's
/// beginning and out of the last one; up to 6 formats, conversions of single nodes' own, the same in each stretch, some impossible; and
/// formats by producer and by node. Few prices, so that many choices are worth it.
[[nodiscard]] inline problem random_woven_problem(std::uint64_t seed, std::uint32_t count) {
    random_numbers numbers{seed};
    problem made;
    const std::uint32_t before = 1 + numbers.below(4), period = 2 + numbers.below(3), after = numbers.below(4);
    made.nodes = before + period * count + after;
    made.formats = 1 + numbers.below(6);
    made.share_conversions = numbers.chance(60);
    made.acyclic = numbers.chance(50);
    const std::uint32_t dear = 1 + numbers.below(6), nulls = numbers.chance(70) ? 0 : 25;
    const auto table = [&] {
        std::vector<double> prices = uniform_conversions(made.formats, 0);
        for (std::size_t f = 0; f < made.formats; ++f)
            for (std::size_t g = 0; g < made.formats; ++g)
                if (f != g) prices[f * made.formats + g] = numbers.chance(nulls) ? impossible : numbers.quarters(dear);
        return prices;
    };
    made.conversions = table();
    const auto first = [&](std::uint32_t i) { return before + period * i; };
    const int width = static_cast<int>(period);
    const auto place_in = [&](std::uint32_t i, int place) { return static_cast<node_id>(static_cast<int>(first(i)) + place); };

    std::set<std::pair<node_id, node_id>> edges;
    for (node_id v = 1; v < before; ++v) edges.emplace(numbers.below(v), v);
    for (node_id v = first(count); v < made.nodes; ++v) edges.emplace(v - 1, v);
    std::set<std::pair<int, int>> inner;
    for (int v = 0; v < width; ++v) {
        inner.emplace(v - 1 - static_cast<int>(numbers.below(static_cast<std::uint32_t>(v) + 1)), v);
        if (numbers.chance(40)) inner.emplace(v - 1 - static_cast<int>(numbers.below(static_cast<std::uint32_t>(v) + 1)), v);
    }
    for (int v = 0; v + 1 < width; ++v)
        if (std::none_of(inner.begin(), inner.end(), [&](const auto& e) { return e.first == v; })) inner.emplace(v, width - 1);
    std::set<std::pair<node_id, int>> outer;
    for (std::uint32_t k = numbers.below(4); k > 0; --k) outer.emplace(numbers.below(before), static_cast<int>(numbers.below(period)));
    for (std::uint32_t i = 0; i < count; ++i) {
        for (const auto& [u, v] : inner) edges.emplace(place_in(i, u), place_in(i, v));
        for (const auto& [u, v] : outer) edges.emplace(u, place_in(i, v));
    }
    for (node_id v = first(count); v < made.nodes; ++v)
        if (numbers.chance(40)) edges.emplace(numbers.below(before), v);
    for (const auto& [u, v] : edges) made.edges.push_back({u, v});
    for (node_id v = 0; v < before; ++v)
        if (numbers.chance(30)) made.conversions_of.push_back({v, table()});
    for (int v = 0; v < width; ++v) {
        if (!numbers.chance(30)) continue;
        const std::vector<double> own = table();
        for (std::uint32_t i = 0; i < count; ++i) made.conversions_of.push_back({place_in(i, v), own});
    }

    const auto rounding = [&](std::vector<int> places) {
        std::pair<std::vector<int>, problem_candidate> one{std::move(places), {}};
        one.second.cost = numbers.quarters(static_cast<std::uint32_t>(1 + 2 * one.first.size()));
        one.second.backend = numbers.below(3);
        one.second.in = numbers.below(made.formats);
        one.second.out = numbers.below(made.formats);
        return one;
    };
    // Nodes of a stretch as places in it; `i` of the first stretch for what is before it, of the last for what is after.
    const auto put = [&](std::uint32_t i, const std::pair<std::vector<int>, problem_candidate>& one) {
        problem_candidate c = one.second;
        c.nodes.clear();
        for (const int place : one.first) {
            const std::int64_t v = static_cast<std::int64_t>(first(i)) + place;
            if (v < 0 || v >= made.nodes) return;
            c.nodes.push_back(static_cast<node_id>(v));
        }
        if (c.out != c.in && one.first.size() % 2 == 1) c.out_of.push_back({c.nodes[0], c.in});
        made.candidates.push_back(std::move(c));
    };
    const auto some_places = [&](int from, int to) {
        std::set<int> places;
        const std::uint32_t size = 2 + numbers.below(2);
        for (std::uint32_t tries = 0; places.size() < size && tries < 9; ++tries)
            places.insert(from + static_cast<int>(numbers.below(static_cast<std::uint32_t>(to - from))));
        return std::vector<int>(places.begin(), places.end());
    };
    std::vector<std::pair<std::vector<int>, problem_candidate>> around, repeated, behind;
    for (int v = -static_cast<int>(before); v < 0; ++v)
        for (std::uint32_t f = 0; f <= made.formats; ++f) {
            around.push_back(rounding({v}));
            if (f < made.formats) around.back().second.out = f;
        }
    for (std::uint32_t k = 0; k < 3; ++k) around.push_back(rounding(some_places(-static_cast<int>(before), 0)));
    for (int v = 0; v < width; ++v)
        for (std::uint32_t f = 0; f <= made.formats; ++f) {
            repeated.push_back(rounding({v}));
            if (f < made.formats) repeated.back().second.in = f;
        }
    for (std::uint32_t k = 0; k < period * 2; ++k) {
        std::vector<int> places = some_places(-2, width);
        if (places.back() >= 0) repeated.push_back(rounding(std::move(places)));
    }
    for (int v = width; v < width + static_cast<int>(after); ++v)
        for (std::uint32_t f = 0; f <= made.formats; ++f) behind.push_back(rounding({v}));
    if (after > 0)
        for (std::uint32_t k = 0; k < 4; ++k) behind.push_back(rounding(some_places(0, width + static_cast<int>(after))));
    for (const auto& one : around) put(0, one);
    for (std::uint32_t i = 0; i < count; ++i)
        for (const auto& one : repeated) put(i, one);
    for (const auto& one : behind)
        if (one.first.back() >= width) put(count - 1, one);
    return made;
}

}  // namespace inlay

#endif
