// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/model/cycle_cuts.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/model/make_cover_network.hpp>

#include "search/all_covers.hpp"
#include "search/random_problem.hpp"

namespace {

/// Whether a cover breaks a cut, by what the cut says.
bool breaks(const inlay::cycle_cut& cut, const std::vector<inlay::candidate_index>& chosen) {
    std::size_t parts = 0;
    for (const auto& part : cut.parts) {
        for (const inlay::candidate_index c : chosen)
            parts += std::binary_search(part.candidates.begin(), part.candidates.end(), c) ? 1u : 0u;
    }
    return cut.of == inlay::cycle_cut::kind::clique ? parts > 1 : parts == cut.parts.size();
}

/// Whether the auxiliary variables of the cuts have values that allow a cover, by the tables of the network.
bool allows(const inlay::cover_network& covers, std::size_t first, const std::vector<inlay::candidate_index>& owner) {
    for (std::size_t variable = first; variable < covers.m.variables(); ++variable) {
        std::vector<bool> possible(covers.m.unary[variable].size());
        for (std::size_t y = 0; y < possible.size(); ++y) possible[y] = covers.m.unary[variable][y] < inlay::infinite_cost;
        for (const inlay::pair_table& p : covers.m.pairs) {
            if (p.b != variable) continue;
            const auto [x, last] = covers.values_of(p.a, owner[p.a]);
            REQUIRE(x < last);
            for (std::size_t y = 0; y < possible.size(); ++y) possible[y] = possible[y] && p.at(x, y) < inlay::infinite_cost;
        }
        if (std::find(possible.begin(), possible.end(), true) == possible.end()) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("cuts forbid the covers with cycles that they were made of, and no cover without") {
    std::size_t cliques = 0, cycles = 0, allowed = 0;
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
        CAPTURE(seed);
        inlay::problem p = inlay::random_small_problem(seed, 9);
        // Pairs over two edges close cycles.
        inlay::random_numbers numbers{seed};
        for (int k = 0; k < 12 && p.nodes > 3; ++k) {
            const auto u = numbers.below(p.nodes), v = numbers.below(p.nodes);
            if (u < v) p.candidates.push_back({.nodes = {u, v}, .cost = 1});
        }
        for (auto& c : p.candidates) c.in_of.clear(), c.out_of.clear(), c.in = c.out = 0;
        p.formats = 1;
        p.conversions = inlay::uniform_conversions(1, 0);
        p.conversions_of.clear();
        p.acyclic = false;
        if (inlay::first_uncovered(p) != inlay::no_node) continue;
        inlay::problem with_cycles = p;
        const inlay::problem_index free(with_cycles);
        p.acyclic = true;
        const inlay::problem_index index(p);
        const auto convex = inlay::convex_candidates(index);
        if (inlay::first_uncovered(index, convex) != inlay::no_node) continue;
        const auto base = inlay::make_cover_network(index, inlay::scaling::for_total(inlay::largest_price(index)), convex);
        std::vector<inlay::candidate_index> others;
        for (inlay::candidate_index c = 0; c < p.candidates.size(); ++c)
            if (base.representative[c] == c) others.push_back(c);
        inlay::cycle_separator separator(index);
        std::vector<inlay::cycle_cut> cuts;
        std::vector<std::vector<inlay::candidate_index>> cyclic, acyclic;
        for (const auto& cover : inlay::all_covers(free)) {
            if (std::any_of(cover.chosen.begin(), cover.chosen.end(), [&](auto c) { return base.representative[c] != c; })) continue;
            const bool has_cycle = !inlay::find_cycle(index, inlay::owners(index, cover.chosen)).empty();
            (has_cycle ? cyclic : acyclic).push_back(cover.chosen);
            if (!has_cycle || cyclic.size() > 20) continue;
            for (auto& cut : separator.broken_by(cover.chosen, others)) {
                CHECK(breaks(cut, cover.chosen));
                ++(cut.of == inlay::cycle_cut::kind::clique ? cliques : cycles);
                cuts.push_back(std::move(cut));
            }
            // What it breaks was found, now or before.
            CHECK(std::any_of(cuts.begin(), cuts.end(), [&](const auto& cut) { return breaks(cut, cover.chosen); }));
        }
        const auto with = inlay::with_cuts(base, cuts);
        for (const auto& chosen : acyclic) {
            for (const auto& cut : cuts) CHECK_FALSE(breaks(cut, chosen));
            CHECK(allows(with, base.m.variables(), inlay::owners(index, chosen)));
            ++allowed;
        }
        for (const auto& chosen : cyclic) {
            const bool broken = std::any_of(cuts.begin(), cuts.end(), [&](const auto& cut) { return breaks(cut, chosen); });
            CHECK(allows(with, base.m.variables(), inlay::owners(index, chosen)) != broken);
        }
    }
    CHECK(cliques > 100);
    CHECK(cycles > 5);
    CHECK(allowed > 1000);
}

TEST_CASE("pairs across two chains exclude each other where they cross, and make one clique") {
    // 0 -> 2 -> 4 and 1 -> 3 -> 5: {0, 5}, {2, 3} and {1, 4} cross, {0, 1} crosses none.
    inlay::problem p;
    p.nodes = 6;
    p.edges = {{0, 2}, {2, 4}, {1, 3}, {3, 5}};
    p.candidates = {{.nodes = {0, 5}, .cost = 1}, {.nodes = {2, 3}, .cost = 1}, {.nodes = {1, 4}, .cost = 1}, {.nodes = {0, 1}, .cost = 1}};
    const inlay::problem_index index(p);
    inlay::cycle_separator separator(index);
    CHECK(separator.exclude(0, 1));
    CHECK(separator.exclude(0, 2));
    CHECK_FALSE(separator.exclude(1, 3));
    const std::vector<inlay::candidate_index> chosen = {0, 1, 2}, others = {0, 1, 2, 3};
    const auto cuts = separator.broken_by(chosen, others);
    REQUIRE(cuts.size() == 1);
    CHECK(cuts[0].parts.size() == 3);
    CHECK(separator.broken_by(chosen, others).empty());
}
