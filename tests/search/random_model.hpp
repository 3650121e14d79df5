// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_SEARCH_RANDOM_MODEL_HPP
#define INLAY_TESTS_SEARCH_RANDOM_MODEL_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/search/model/cost_network.hpp>

#include "random_problem.hpp"

namespace inlay {

/// A small pairwise model with prices below 20, some `never`.
[[nodiscard]] inline cost_network random_model(std::uint64_t seed) {
    random_numbers numbers{seed};
    cost_network made;
    const std::uint32_t variables = 1 + numbers.below(6);
    const auto price = [&] { return numbers.chance(12) ? infinite_cost : static_cast<fixed_cost>(numbers.below(20)); };
    for (std::uint32_t i = 0; i < variables; ++i) {
        const std::uint32_t values = 1 + numbers.below(4);
        for (std::uint32_t x = 0; x < values; ++x) made.unary.items.push_back(price());
        made.unary.close();
    }
    const auto some_classes = [&](std::uint32_t variable) {
        std::vector<std::uint32_t> raw;
        for (std::size_t x = 0; x < made.unary[variable].size(); ++x) raw.push_back(numbers.below(3));
        class_mapper mapper;
        const std::uint32_t count = mapper.make_dense(raw, 3);
        return class_map{made.memory.copy(std::span<const std::uint32_t>(raw)), count};
    };
    for (std::uint32_t a = 0; a < variables; ++a) {
        for (std::uint32_t b = a + 1; b < variables; ++b) {
            if (numbers.chance(45)) continue;
            pair_table p{a, b, some_classes(a), some_classes(b), {}};
            const std::span<fixed_cost> cost = made.memory.take<fixed_cost>(std::size_t{p.a_map.count} * p.b_map.count);
            for (fixed_cost& entry : cost) entry = price();
            p.cost = cost;
            made.pairs.push_back(std::move(p));
        }
    }
    made.constant = static_cast<fixed_cost>(numbers.below(5));
    return made;
}

/// For each value of each variable the least cost of an assignment with it, by trying all.
[[nodiscard]] inline rows<fixed_cost> tried_marginals(const cost_network& m, fixed_cost& least) {
    rows<fixed_cost> made = m.unary;
    for (fixed_cost& entry : made.items) entry = infinite_cost;
    least = infinite_cost;
    std::vector<std::uint32_t> values(m.variables(), 0);
    for (;;) {
        const fixed_cost cost = evaluate(m, values);
        least = cost < least ? cost : least;
        for (std::size_t i = 0; i < values.size(); ++i) {
            fixed_cost& entry = made.items[made.begin[i] + values[i]];
            entry = cost < entry ? cost : entry;
        }
        std::size_t i = 0;
        while (i < values.size() && ++values[i] == m.unary[i].size()) values[i++] = 0;
        if (i == values.size()) return made;
    }
}

}  // namespace inlay

#endif
