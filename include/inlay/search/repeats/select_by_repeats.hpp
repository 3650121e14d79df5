// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_REPEATS_SELECT_BY_REPEATS_HPP
#define INLAY_SEARCH_REPEATS_SELECT_BY_REPEATS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <inlay/search/exact/elimination_order.hpp>
#include <inlay/search/model/fixed_cost.hpp>
#include <inlay/search/model/rows.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/repeats/repeats.hpp>
#include <inlay/search/repeats/select_repeated.hpp>

namespace inlay {

/// The cheapest cover of a problem most of whose nodes are in equal stretches, found from a few of these; cycles between parts are not
/// looked at. Its `around` has all chosen candidates, ascending, and there are no ways. None where `select_repeated` has none, or no repeat
/// is found.
[[nodiscard]] inline std::optional<repeated_cover> select_by_repeats(const problem_index& whole, const scaling& unit,
                                                                     const elimination_limit& limit) {
    constexpr std::uint32_t least_stretches = 8;
    const rows<candidate_index> ending = candidates_by_last_node(whole);
    const std::optional<repeat> found = repeat_finder(whole, ending)(least_stretches);
    if (!found || (found->end() - found->first) < whole.nodes() / 2) return std::nullopt;
    const auto shortened = shorten(whole, ending, *found);
    if (!shortened) return std::nullopt;
    const problem_index shown(shortened->shown);
    std::optional<repeated_cover> cover = select_repeated(shown, *found, unit, limit);
    if (!cover) return std::nullopt;
    std::vector<candidate_index> chosen;
    // In every stretch the same candidates end at the same place, in the same order.
    const auto note = [&](candidate_index c, std::uint32_t stretches_on) {
        const node_id last = shown.members(c).back();
        const auto there = ending[last];
        const auto rank = static_cast<std::size_t>(std::lower_bound(there.begin(), there.end(), shortened->stands_for[c]) - there.begin());
        chosen.push_back(ending[last + stretches_on * found->period][rank]);
    };
    for (const candidate_index c : cover->around) {
        const node_id last = shown.members(c).back();
        const bool in_last_stretch = last >= found->first + 3 * found->period && last < found->first + shown_stretches * found->period;
        if (in_last_stretch)
            note(c, found->count - shown_stretches);
        else
            chosen.push_back(shortened->stands_for[c]);
    }
    for (std::uint32_t i = 0; i < cover->way_of.size(); ++i)
        for (const candidate_index c : cover->ways[cover->way_of[i]]) note(c, i);
    std::sort(chosen.begin(), chosen.end());
    cover->around = std::move(chosen);
    cover->ways.clear();
    cover->way_of.clear();
    return cover;
}

}  // namespace inlay

#endif
