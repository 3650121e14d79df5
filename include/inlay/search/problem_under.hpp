// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROBLEM_UNDER_HPP
#define INLAY_SEARCH_PROBLEM_UNDER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/search/constrained/constraints.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/select_among.hpp>

namespace inlay {

/// A problem in which preferences that are not kept cost what they are worth: candidates of other back ends are dearer by that for each
/// node.
[[nodiscard]] inline problem with_preferences(const problem& given, std::span<const constraint> constraints) {
    problem made = given;
    if (std::none_of(constraints.begin(), constraints.end(), [](const constraint& one) { return one.rule == constraint_rule::prefer; }))
        return made;
    const problem_index index(given);
    for (const constraint& one : constraints) {
        if (one.rule != constraint_rule::prefer) continue;
        for (const node_id v : one.nodes)
            for (const candidate_index c : index.covering(v))
                if (given.candidates[c].backend != one.backend) made.candidates[c].cost += one.worth;
    }
    return made;
}

/// Per candidate, 0 where a constraint rules it out by itself.
[[nodiscard]] inline std::vector<std::uint8_t> admitted_by(const problem_index& index, std::span<const constraint> constraints) {
    std::vector<std::uint8_t> admitted(index.candidates(), 1);
    for (const constraint& one : constraints)
        for (std::size_t c = 0; c < admitted.size(); ++c)
            if (rules_out(one, index, static_cast<candidate_index>(c))) admitted[c] = 0;
    return admitted;
}

/// The plain problem that constraints make of one: preferences make candidates dearer, pins, forbids, keeps and part limits take candidates
/// away. Its covers are those that keep to these constraints, at the cost that `select_constrained` gives. Colocations and separations are
/// left out: with them it has more covers, and its lower bounds hold all the same. `number`, where given, gets for each candidate what it
/// was numbered before. Every node must be in some candidate; in what is made, it need not.
[[nodiscard]] inline problem problem_under(const problem& given, std::span<const constraint> constraints,
                                           std::vector<candidate_index>* number = nullptr) {
    const problem dearer = with_preferences(given, constraints);
    return problem_among(dearer, admitted_by(problem_index(given), constraints), number);
}

}  // namespace inlay

#endif
