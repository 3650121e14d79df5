// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_SEARCH_ALL_COVERS_HPP
#define INLAY_TESTS_SEARCH_ALL_COVERS_HPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>

#include "random_problem.hpp"

namespace inlay {

/// A cover and what it costs.
struct known_cover {
    std::vector<candidate_index> chosen;
    double cost = 0;
};

/// Every cover of a small problem, by plain enumeration. Every node must be in some candidate.
[[nodiscard]] inline std::vector<known_cover> all_covers(const problem_index& index) {
    std::vector<known_cover> made;
    std::vector<candidate_index> chosen;
    std::vector<bool> covered(index.nodes(), false);
    const auto go_on = [&](const auto& self) -> void {
        const auto open = std::find(covered.begin(), covered.end(), false);
        if (open == covered.end()) {
            if (const auto cost = cover_cost(index, chosen)) made.push_back({chosen, *cost});
            return;
        }
        for (const candidate_index c : index.covering(static_cast<node_id>(open - covered.begin()))) {
            const auto members = index.members(c);
            if (std::any_of(members.begin(), members.end(), [&](node_id v) { return bool{covered[v]}; })) continue;
            for (const node_id v : members) covered[v] = true;
            chosen.push_back(c);
            self(self);
            chosen.pop_back();
            for (const node_id v : members) covered[v] = false;
        }
    };
    go_on(go_on);
    return made;
}

/// The largest of some quantities that a cover comes to.
[[nodiscard]] inline double largest_of(const problem_index& index, std::span<const quantity> quantities,
                                       const std::vector<candidate_index>& chosen) {
    double largest = 0;
    for (const quantity& q : quantities) largest = std::max(largest, quantity_of(index, q, chosen).value());
    return largest;
}

/// A quantity with a bit of everything that a quantity can have.
[[nodiscard]] inline quantity random_quantity(const problem& p, random_numbers& numbers) {
    quantity made;
    const bool exact = numbers.chance(60);
    const auto amount = [&](std::uint32_t limit) { return exact ? numbers.quarters(limit) : numbers.real(limit); };
    const auto table = [&] {
        std::vector<double> amounts(static_cast<std::size_t>(p.formats) * p.formats, 0);
        for (std::size_t i = 0; i < amounts.size(); ++i)
            if (i / p.formats != i % p.formats) amounts[i] = amount(3);
        return amounts;
    };
    if (numbers.chance(85))
        for (std::size_t c = 0; c < p.candidates.size(); ++c) made.of_candidate.push_back(numbers.chance(30) ? 0 : amount(8));
    if (numbers.chance(30)) made.conversions = table();
    for (node_id v = 0; v < p.nodes; ++v)
        if (numbers.chance(10)) made.conversions_of.push_back({v, table()});
    if (numbers.chance(50)) {
        for (std::uint32_t count = 1 + numbers.below(3); count > 0; --count) {
            shared_item item{amount(10), {}};
            const std::uint32_t percent = 15 + numbers.below(50);
            for (candidate_index c = 0; c < p.candidates.size(); ++c)
                if (numbers.chance(percent)) item.users.push_back(c);
            if (!item.users.empty()) made.shared.push_back(std::move(item));
        }
    }
    if (numbers.chance(10)) made.always = amount(5);
    return made;
}

}  // namespace inlay

#endif
