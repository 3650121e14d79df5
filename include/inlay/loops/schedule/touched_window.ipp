// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_TOUCHED_WINDOW_IPP
#define INLAY_LOOPS_SCHEDULE_TOUCHED_WINDOW_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/loops/schedule/touched_window.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>

namespace inlay::detail {

std::vector<affine> touched_window::inside(const std::vector<affine>& at) const {
    std::vector<affine> made;
    for (std::size_t d = 0; d < at.size(); ++d) made.push_back(at[d] - origin[d]);
    return made;
}

std::vector<affine> touched_window::outside(const std::vector<affine>& at) const {
    std::vector<affine> made;
    for (std::size_t d = 0; d < at.size(); ++d) made.push_back(at[d] + origin[d]);
    return made;
}

std::vector<affine_bound> touched_window::bounds(const nest_buffer& b, const std::vector<affine>& at,
                                                 const std::vector<std::int64_t>& loops) const {
    std::vector<affine_bound> made;
    for (std::size_t d = 0; d < at.size(); ++d) {
        const auto range = origin[d].range(loops);
        if (!range || range->first < 0 || range->second > b.extents[d] - extents[d]) made.push_back({0, at[d], b.extents[d]});
    }
    return made;
}

outcome<touched_window> window_in(const nest_edit& n, statement_id loop, buffer_id b) {
    const nest_statement& l = n.at(loop);
    const nest_buffer& buffer = n.nest().buffers[b];
    std::vector<char> is_inner(n.nest().variables.size(), 0);
    n.each(l.parts.front(), [&](statement_id s) {
        if (n.at(s).kind == nest_statement::form::loop) is_inner[n.at(s).variable] = 1;
    });
    const std::vector<std::int64_t> loops = n.extents();
    const std::string who = quoted_text(buffer.name) + " in the loop over " + quoted_text(n.nest().variables[l.variable]);
    std::vector<affine> outer;
    std::vector<std::pair<std::int64_t, std::int64_t>> reach;
    std::optional<error> wrong;
    n.each_access(l.parts.front(), [&](buffer_id of, const std::vector<affine>& at, const std::vector<std::int64_t>& behind, bool) {
        if (of != b || wrong) return;
        const bool is_first = reach.empty();
        for (std::size_t d = 0; d < at.size(); ++d) {
            affine from_outside, from_inside(at[d].constant());
            for (const affine::term& t : at[d].terms())
                (is_inner[t.variable] != 0 ? from_inside : from_outside) += affine::of(t.variable, t.factor);
            const auto range = from_inside.range(loops);
            const std::int64_t more = behind.empty() ? 0 : behind[d];
            if (!range || range->second > INT64_MAX / 4 || range->first < INT64_MIN / 4 || (!is_first && !(outer[d] == from_outside))) {
                wrong = error{"places of " + who + " do not follow the loops outside alike, so that no window has them all"};
                return;
            }
            if (is_first) {
                outer.push_back(from_outside);
                reach.emplace_back(range->first, range->second + more);
            }
            reach[d] = {std::min(reach[d].first, range->first), std::max(reach[d].second, range->second + more)};
        }
    });
    if (wrong) return *wrong;
    if (reach.empty() && !(buffer.extents.empty() && n.touches(loop, b))) return error{"there is no use of " + who};
    touched_window made;
    for (std::size_t d = 0; d < reach.size(); ++d) {
        auto [low, high] = reach[d];
        // What hangs over both ends is the whole axis, as far as bounds let anybody touch it.
        if (outer[d].is_constant() && (low < 0 || high >= buffer.extents[d]) && buffer.extents[d] <= high - low) {
            low = 0;
            high = buffer.extents[d] - 1;
        }
        made.origin.push_back(outer[d] + affine(low));
        made.extents.push_back(high - low + 1);
    }
    return made;
}

}  // namespace inlay::detail

#endif
