// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/exact/elimination_bucket.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "search/random_problem.hpp"

namespace {

constexpr std::uint32_t values = 12;

/// The classes of values 0 to 11 in some way: `count` of them, each with a value.
struct some_map {
    std::vector<std::uint32_t> of;
    std::uint32_t count;
};

some_map coarse(inlay::random_numbers& numbers, std::uint32_t most) {
    some_map made{{}, 1 + numbers.below(most)};
    for (std::uint32_t x = 0; x < values; ++x) made.of.push_back(x < made.count ? x : numbers.below(made.count));
    return made;
}

}  // namespace

TEST_CASE("a sweep over a bucket sums every factor for every combination, with lanes and without") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        inlay::random_numbers numbers{seed};
        // Variable 0 goes; 1 to `others` are the digits. Every class of a step is a value here, so that any map is coarser.
        const std::uint32_t others = numbers.below(4);
        std::vector<std::uint32_t> fine(values), about;
        std::vector<inlay::class_map> classes;
        for (std::uint32_t x = 0; x < values; ++x) fine[x] = x;
        std::uint32_t sizes[4] = {};
        std::vector<std::vector<std::uint32_t>> of(4);
        for (std::uint32_t v = 0; v <= others; ++v) {
            // The first `sizes[v]` values are told apart.
            sizes[v] = 1 + numbers.below(values - 1);
            for (std::uint32_t x = 0; x < values; ++x) of[v].push_back(std::min(x, sizes[v] - 1));
            if (v == 0) continue;
            about.push_back(v);
            classes.push_back({of[v], sizes[v]});
        }
        inlay::elimination_step step;
        step.variable = 0;
        step.own = {of[0], sizes[0]};
        step.about = about;
        step.classes = classes;

        const std::uint32_t count = numbers.below(4);
        std::vector<std::vector<some_map>> maps(count);
        std::vector<std::vector<std::uint32_t>> knows(count);
        std::vector<std::vector<inlay::fixed_cost>> tables(count);
        std::vector<std::vector<inlay::detail::table_axis>> axes(count);
        std::vector<inlay::detail::bucket_factor> factors;
        for (std::uint32_t f = 0; f < count; ++f) {
            knows[f].push_back(0);
            for (std::uint32_t v = 1; v <= others; ++v)
                if (numbers.chance(60)) knows[f].push_back(v);
            std::size_t size = 1;
            for (const std::uint32_t v : knows[f]) {
                // Coarser than the step's classes: what the step does not tell apart the factor does not either.
                some_map map = coarse(numbers, sizes[v]);
                for (std::uint32_t x = 0; x < values; ++x) map.of[x] = map.of[of[v][x]];
                maps[f].push_back(map);
                size *= map.count;
            }
            std::size_t stride = size;
            for (std::size_t a = 0; a < knows[f].size(); ++a) {
                stride /= maps[f][a].count;
                axes[f].push_back({knows[f][a], maps[f][a].count, maps[f][a].of.data(), stride});
            }
            for (std::size_t i = 0; i < size; ++i) tables[f].push_back(numbers.chance(10) ? inlay::infinite_cost : numbers.below(50));
        }
        for (std::uint32_t f = 0; f < count; ++f)
            factors.push_back({tables[f], axes[f], 0, f + 1 < count ? f + 1 : inlay::detail::bucket_factor::none});
        std::vector<inlay::fixed_cost> prices;
        for (std::uint32_t x = 0; x < values; ++x) prices.push_back(numbers.below(9));

        inlay::detail::elimination_bucket bucket;
        bucket.lay_out(step, prices, factors, count == 0 ? inlay::detail::bucket_factor::none : 0);
        std::vector<inlay::fixed_cost> found;
        bucket.sweep([&](std::size_t row, const inlay::fixed_cost* sums, const inlay::fixed_cost* lines) {
            REQUIRE(found.size() == row * bucket.lanes());
            found.resize(found.size() + bucket.lanes());
            bucket.least(sums, lines, found.data() + row * bucket.lanes());
        });

        std::size_t at = 0;
        std::uint32_t value[4] = {};
        for (;;) {
            inlay::fixed_cost least = inlay::infinite_cost;
            for (std::uint32_t x = 0; x < values; ++x) {
                value[0] = x;
                inlay::fixed_cost sum = prices[x];
                for (std::uint32_t f = 0; f < count; ++f) {
                    std::size_t entry = 0;
                    for (std::size_t a = 0; a < knows[f].size(); ++a) entry += maps[f][a].of[value[knows[f][a]]] * axes[f][a].stride;
                    sum = inlay::add(sum, tables[f][entry]);
                }
                least = std::min(least, sum);
            }
            REQUIRE(at < found.size());
            CHECK(found[at++] == least);
            std::uint32_t v = others;
            while (v > 0 && ++value[v] == sizes[v]) value[v--] = 0;
            if (v == 0) break;
        }
        CHECK(at == found.size());
    }
}
