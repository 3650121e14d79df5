// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/constrained/restricted_master.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "search/random_problem.hpp"

TEST_CASE("a mix of two covers keeps a limit on average") {
    const std::vector<double> values = {1, 3}, amounts = {4, 0}, most = {1};
    const inlay::restricted_master mix = inlay::cheapest_mix(values, amounts, most, 1);
    CHECK(mix.keeps_limits);
    CHECK(mix.value == doctest::Approx(2.5));
    CHECK(mix.shares[0] == doctest::Approx(0.25));
    CHECK(mix.shares[1] == doctest::Approx(0.75));
    CHECK(mix.multipliers[0] == doctest::Approx(0.5));
    const std::vector<double> both_above = {4, 2};
    const inlay::restricted_master none = inlay::cheapest_mix(values, both_above, most, 1);
    CHECK_FALSE(none.keeps_limits);
    CHECK(none.multipliers[0] > 0);
}

TEST_CASE("a mix and its multipliers prove each other, and what no mix keeps is proved by the multipliers") {
    inlay::random_numbers numbers{4};
    std::size_t kept = 0, broken = 0;
    for (int round = 0; round < 4000; ++round) {
        const std::size_t covers = 1 + numbers.below(12), rows = numbers.below(7),
                          limits = numbers.below(static_cast<std::uint32_t>(rows) + 1);
        std::vector<double> values, amounts, most;
        const bool coarse = numbers.chance(50);
        const auto amount = [&] { return coarse ? numbers.below(4) : numbers.real(4); };
        for (std::size_t i = 0; i < covers; ++i) values.push_back(limits < rows ? 0 : amount());
        for (std::size_t i = 0; i < covers * rows; ++i) amounts.push_back(amount());
        for (std::size_t r = 0; r < rows; ++r) most.push_back(r < limits ? (numbers.chance(10) ? 0 : amount()) : 0);
        const inlay::restricted_master mix = inlay::cheapest_mix(values, amounts, most, limits);
        // What every cover comes to at the multipliers' prices, at the least.
        const double of_value = mix.keeps_limits ? 1 : 0;
        double least = 1e9, limit = 0, share = 0, value = 0;
        for (std::size_t i = 0; i < covers; ++i) {
            double here = of_value * values[i];
            for (std::size_t r = 0; r < rows; ++r) here += mix.multipliers[r] * amounts[r * covers + i];
            least = std::min(least, here);
            share += mix.shares[i];
            value += mix.shares[i] * values[i];
        }
        for (std::size_t r = 0; r < limits; ++r) limit += mix.multipliers[r] * most[r];
        if (!mix.keeps_limits) {
            ++broken;
            CHECK(least > limit);
            continue;
        }
        ++kept;
        CHECK(share == doctest::Approx(1));
        double largest = 0;
        for (std::size_t r = 0; r < rows; ++r) {
            double average = 0;
            for (std::size_t i = 0; i < covers; ++i) average += mix.shares[i] * amounts[r * covers + i];
            if (r < limits)
                CHECK(average <= most[r] + 1e-8);
            else
                largest = std::max(largest, average);
        }
        CHECK(value + largest == doctest::Approx(mix.value).epsilon(1e-8));
        CHECK(least - limit == doctest::Approx(mix.value).epsilon(1e-7));
        double simplex = 0;
        for (std::size_t r = limits; r < rows; ++r) simplex += mix.multipliers[r];
        if (limits < rows) CHECK(simplex == doctest::Approx(largest == 0 ? simplex : 1).epsilon(1e-8));
    }
    CHECK(kept > 1000);
    CHECK(broken > 300);
}
