// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_SELECT_AMONG_IPP
#define INLAY_SEARCH_SELECT_AMONG_IPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/search/select_among.hpp>

#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/select.hpp>
#include <inlay/search/select_options.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

problem problem_among(const problem& given, std::span<const std::uint8_t> admitted, std::vector<candidate_index>* number) {
    problem some;
    some.nodes = given.nodes;
    some.edges = given.edges;
    some.formats = given.formats;
    some.conversions = given.conversions;
    some.conversions_of = given.conversions_of;
    some.share_conversions = given.share_conversions;
    some.acyclic = given.acyclic;
    for (std::size_t c = 0; c < given.candidates.size(); ++c) {
        if (admitted[c] == 0) continue;
        some.candidates.push_back(given.candidates[c]);
        if (number != nullptr) number->push_back(static_cast<candidate_index>(c));
    }
    return some;
}

selection select_among(const problem& given, std::span<const std::uint8_t> admitted, select_options options) {
    options.marginals = false;
    options.priority.clear();
    options.known_covers.clear();
    std::vector<candidate_index> number;
    const problem some = problem_among(given, admitted, &number);
    selection found = select(some, options);
    for (candidate_index& c : found.chosen) c = number[c];
    return found;
}

void admit_only(const problem_index& index, candidate_index wanted, std::span<std::uint8_t> admitted) {
    for (const node_id v : index.members(wanted))
        for (const candidate_index c : index.covering(v))
            if (c != wanted) admitted[c] = 0;
}

}  // namespace inlay

#endif
