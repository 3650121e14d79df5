// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROBLEM_UNDER_IPP
#define INLAY_SEARCH_PROBLEM_UNDER_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/search/problem_under.hpp>

#include <inlay/search/constrained/constraints.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/select_among.hpp>

namespace inlay {

problem with_preferences(const problem& given, std::span<const constraint> constraints) {
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

std::vector<std::uint8_t> admitted_by(const problem_index& index, std::span<const constraint> constraints) {
    std::vector<std::uint8_t> admitted(index.candidates(), 1);
    for (const constraint& one : constraints)
        for (std::size_t c = 0; c < admitted.size(); ++c)
            if (rules_out(one, index, static_cast<candidate_index>(c))) admitted[c] = 0;
    return admitted;
}

problem problem_under(const problem& given, std::span<const constraint> constraints, std::vector<candidate_index>* number) {
    const problem dearer = with_preferences(given, constraints);
    return problem_among(dearer, admitted_by(problem_index(given), constraints), number);
}

}  // namespace inlay

#endif
