// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/select_among.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "all_covers.hpp"

TEST_CASE("the best cover among some candidates has their numbers, and is that of enumeration") {
    std::size_t found = 0, none = 0;
    inlay::each_coverable_problem(500, 6, [&](std::uint64_t seed, const inlay::problem& p) {
        const inlay::problem_index index(p);
        inlay::random_numbers numbers{seed + 3};
        std::vector<std::uint8_t> admitted(p.candidates.size(), 1);
        const bool has_one = numbers.chance(50);
        const auto one = numbers.below(static_cast<std::uint32_t>(p.candidates.size()));
        if (has_one)
            inlay::admit_only(index, one, admitted);
        else
            for (auto& a : admitted) a = numbers.chance(15) ? 0 : 1;
        double best = inlay::impossible;
        for (const auto& cover : inlay::all_covers(index)) {
            const bool fits =
                std::all_of(cover.chosen.begin(), cover.chosen.end(), [&](inlay::candidate_index c) { return admitted[c] != 0; });
            // What overlaps a candidate is not admitted beside it: so each cover that is left has it.
            if (has_one) CHECK(fits == (std::find(cover.chosen.begin(), cover.chosen.end(), one) != cover.chosen.end()));
            if (fits) best = std::min(best, cover.cost);
        }
        const inlay::selection s = inlay::select_among(p, admitted);
        CHECK_MESSAGE(s.cost.has_value() == (best < inlay::impossible), "seed " << seed);
        if (!s.cost) {
            ++none;
            return;
        }
        ++found;
        CHECK(*s.cost == doctest::Approx(best).epsilon(1e-9));
        CHECK(*inlay::cover_cost(index, s.chosen) == *s.cost);
        for (const auto c : s.chosen) CHECK(admitted[c] != 0);
        std::vector<inlay::candidate_index> number;
        const inlay::problem some = inlay::problem_among(p, admitted, &number);
        REQUIRE(number.size() == some.candidates.size());
        for (std::size_t i = 0; i < number.size(); ++i) CHECK(some.candidates[i] == p.candidates[number[i]]);
    });
    CHECK(found > 250);
    CHECK(none > 25);
}
