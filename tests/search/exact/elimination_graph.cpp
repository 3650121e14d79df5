// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/exact/elimination_graph.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "search/random_problem.hpp"

TEST_CASE("the pairs that a step joins are counted as they are, also around variables that all others hang on") {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        CAPTURE(seed);
        inlay::random_numbers numbers{seed};
        inlay::cost_network m;
        constexpr std::uint32_t variables = 200;
        const std::vector<std::uint32_t> each{0, 1};
        const std::vector<inlay::fixed_cost> table{0, 3, 2, 1};
        for (std::uint32_t i = 0; i < variables; ++i) {
            m.unary.items.insert(m.unary.items.end(), {0, 0});
            m.unary.close();
        }
        // Three that nearly all others hang on, and a sparse rest.
        std::vector<std::vector<bool>> joined(variables, std::vector<bool>(variables, false));
        for (std::uint32_t a = 0; a < variables; ++a) {
            for (std::uint32_t b = a + 1; b < variables; ++b) {
                if (!numbers.chance(a < 3 ? 90 : 2)) continue;
                joined[a][b] = joined[b][a] = true;
                m.pairs.push_back({a, b, {each, 2}, {each, 2}, table});
            }
        }
        inlay::arena memory;
        inlay::detail::elimination_graph graph(m, memory);
        for (std::uint32_t goes = variables; goes-- > variables - 20;) {
            for (std::uint32_t v = 0; v < goes; ++v) {
                const auto degree = [&](std::uint32_t of) {
                    return static_cast<std::size_t>(std::count(joined[of].begin(), joined[of].begin() + goes + 1, true));
                };
                const std::size_t own = degree(v);
                const auto wide = [&](std::uint32_t of) { return graph.is_wide(of, own); };
                double missing = 0;
                for (std::uint32_t a = 0; a <= goes; ++a)
                    for (std::uint32_t b = a + 1; b <= goes; ++b)
                        missing += joined[v][a] && joined[v][b] && !joined[a][b] && !(wide(a) && wide(b)) ? 1 : 0;
                REQUIRE(graph.fill(v) == missing);
                double weight = 2;
                for (std::uint32_t a = 0; a <= goes; ++a) weight *= joined[v][a] ? 2 : 1;
                REQUIRE(graph.weight(v) == std::min(weight, inlay::detail::elimination_graph::too_many));
            }
            graph.eliminate(goes);
            for (std::uint32_t a = 0; a < goes; ++a)
                for (std::uint32_t b = 0; b < goes; ++b)
                    if (a != b && joined[goes][a] && joined[goes][b]) joined[a][b] = true;
        }
    }
}
