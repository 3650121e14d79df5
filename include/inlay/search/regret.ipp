// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_REGRET_IPP
#define INLAY_SEARCH_REGRET_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/search/regret.hpp>

#include <inlay/search/cover_cost.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/select_among.hpp>
#include <inlay/search/select_options.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

regret regret_of(const problem& given, std::span<const candidate_index> cover, candidate_index wanted, select_options options) {
    const problem_index index(given);
    const auto overlaps = [&](candidate_index c) {
        const auto members = index.members(c);
        return std::any_of(members.begin(), members.end(), [&](node_id v) { return problem_index::has(index.members(wanted), v); });
    };
    std::vector<std::uint8_t> admitted(given.candidates.size(), 1);
    admit_only(index, wanted, admitted);
    const selection found = select_among(given, admitted, std::move(options));
    regret made;
    made.status = found.status;
    made.lower_bound = found.lower_bound;
    if (!found.cost) return made;
    made.cover = found.chosen;
    made.cost = cover_cost(index, made.cover);

    const std::optional<double> before = cover_cost(index, cover);
    if (!made.cost || !before) return made;
    made.total = *made.cost - *before;
    const auto has = [](std::span<const candidate_index> list, candidate_index c) {
        return std::find(list.begin(), list.end(), c) != list.end();
    };
    for (const candidate_index c : made.cover)
        if (!has(cover, c)) (c == wanted ? made.own : made.elsewhere) += given.candidates[c].cost;
    for (const candidate_index c : cover)
        if (!has(made.cover, c)) (overlaps(c) ? made.own : made.elsewhere) -= given.candidates[c].cost;
    made.conversions = made.total - made.own - made.elsewhere;
    const double even = given.candidates[wanted].cost - made.total;
    if (made.status == selection_status::optimal && even >= 0) made.break_even = even;
    return made;
}

}  // namespace inlay

#endif
