// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/constrained/tighten_bounds.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "search/all_covers.hpp"

TEST_CASE("what is dropped is in no cover within the limits") {
    std::size_t dropped = 0, none = 0, told = 0;
    inlay::each_coverable_problem(800, 6, [&](std::uint64_t seed, const inlay::problem& p) {
        const inlay::problem_index index(p);
        inlay::random_numbers numbers{seed + 8};
        const std::vector<inlay::quantity> quantities = {inlay::random_quantity(p, numbers), inlay::random_quantity(p, numbers)};
        const std::vector<double> most = {numbers.real(20), numbers.chance(30) ? inlay::impossible : numbers.real(20)};
        inlay::limit_settler settle(index);
        for (const auto& q : quantities) settle.add(q);
        std::vector<std::uint8_t> alive(p.candidates.size(), 1);
        const bool left = settle(
            alive, [&](std::size_t q) { return most[q]; }, [&](std::size_t q) { told += q + 1; });
        dropped += static_cast<std::size_t>(std::count(alive.begin(), alive.end(), std::uint8_t{0}));
        none += left ? 0u : 1u;
        for (const auto& cover : inlay::all_covers(index)) {
            bool keeps = true;
            for (std::size_t q = 0; q < 2; ++q) keeps = keeps && *inlay::quantity_of(index, quantities[q], cover.chosen) <= most[q];
            if (!keeps) continue;
            CHECK_MESSAGE(left, "seed " << seed);
            for (const auto c : cover.chosen) CHECK_MESSAGE(alive[c] != 0, "seed " << seed);
        }
    });
    CHECK(dropped > 200);
    CHECK(none > 30);
    CHECK(told >= dropped);
}

TEST_CASE("two candidates that are too much together are told apart by what the other must have") {
    inlay::problem p;
    p.nodes = 2;
    p.candidates = {{.nodes = {0}}, {.nodes = {0}}, {.nodes = {1}}, {.nodes = {1}}};
    const inlay::problem_index index(p);
    const inlay::quantity q{.of_candidate = {3, 5, 2, 4}, .always = 1};
    inlay::limit_settler settle(index);
    settle.add(q);
    const auto settled = [&](double most) {
        std::vector<std::uint8_t> alive(4, 1);
        if (!settle(
                alive, [&](std::size_t) { return most; }, [](std::size_t) {}))
            alive.clear();
        return alive;
    };
    CHECK(settled(8) == std::vector<std::uint8_t>{1, 1, 1, 1});
    CHECK(settled(7) == std::vector<std::uint8_t>{1, 0, 1, 0});
    CHECK(settled(6) == std::vector<std::uint8_t>{1, 0, 1, 0});
    CHECK(settled(5).empty());
}
