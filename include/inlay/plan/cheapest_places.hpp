// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_CHEAPEST_PLACES_HPP
#define INLAY_PLAN_CHEAPEST_PLACES_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <inlay/placement/place_question.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/select.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// An answer to a `place_question`: the places at the least sum of `run(n, place)`, the seconds of operator call n there, infinite where it
/// does not run, and `copy(n, from, to)`, the seconds to copy what node n gives. Exact, by `select`; nothing where calls run nowhere.
template <class Where, class Run, class Copy>
[[nodiscard]] std::optional<std::vector<std::size_t>> cheapest_places(const place_question<Where>& q, Run&& run, Copy&& copy,
                                                                      const select_options& options = {}) {
    std::vector<Where> places;
    const auto number_of = [&](const Where& p) {
        const auto at = static_cast<std::size_t>(std::find(places.begin(), places.end(), p) - places.begin());
        if (at == places.size()) places.push_back(p);
        return static_cast<format_index>(at);
    };
    problem p;
    p.acyclic = false;
    // A class gives its place as a format, and a border takes two, each pair at the price of the copy.
    std::vector<std::vector<format_index>> of_class;
    std::vector<std::size_t> choice_of;  // by candidate
    for (const auto& c : q.classes) {
        of_class.emplace_back();
        for (std::size_t i = 0; i < c.places.size(); ++i) {
            of_class.back().push_back(number_of(c.places[i]));
            problem_candidate one;
            one.nodes = {p.nodes};
            for (const node_id n : c.calls) one.cost += run(n, c.places[i]);
            one.out = of_class.back().back();
            if (!std::isfinite(one.cost)) continue;
            p.candidates.push_back(std::move(one));
            choice_of.push_back(i);
        }
        ++p.nodes;
    }
    for (const auto& b : q.borders) {
        if (b.from == b.to) continue;
        const node_id own = p.nodes++;
        p.edges.push_back({b.from, own});
        p.edges.push_back({b.to, own});
        for (const format_index from : of_class[b.from])
            for (const format_index to : of_class[b.to]) {
                problem_candidate one;
                one.nodes = {own};
                one.cost = from == to ? 0 : copy(b.value, places[from], places[to]);
                one.in_of = {{b.from, from}, {b.to, to}};
                if (!std::isfinite(one.cost)) continue;
                p.candidates.push_back(std::move(one));
                choice_of.push_back(0);
            }
    }
    p.formats = static_cast<std::uint32_t>(std::max<std::size_t>(places.size(), 1));
    p.conversions = uniform_conversions(p.formats, impossible);
    const selection made = select(p, options);
    if (made.chosen.empty() && !q.classes.empty()) return std::nullopt;
    std::vector<std::size_t> answer(q.classes.size(), 0);
    for (const auto c : made.chosen)
        if (const node_id n = p.candidates[c].nodes.front(); n < q.classes.size()) answer[n] = choice_of[c];
    return answer;
}

}  // namespace inlay

#endif
