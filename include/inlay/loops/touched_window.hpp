// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TOUCHED_WINDOW_HPP
#define INLAY_LOOPS_TOUCHED_WINDOW_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/affine.hpp>
#include <inlay/loops/loop_nest.hpp>
#include <inlay/loops/nest_edit.hpp>

namespace inlay::detail {

/// The part of a buffer that one round of a loop may touch: where it begins, and how far it goes along each axis. It may hang over the
/// buffer's ends, where what touches it stands within bounds.
struct touched_window {
    std::vector<affine> origin;
    std::vector<std::int64_t> extents;

    /// Indices of the window for indices of the buffer.
    [[nodiscard]] std::vector<affine> inside(const std::vector<affine>& at) const {
        std::vector<affine> made;
        for (std::size_t d = 0; d < at.size(); ++d) made.push_back(at[d] - origin[d]);
        return made;
    }
    /// Indices of the buffer for indices of the window.
    [[nodiscard]] std::vector<affine> outside(const std::vector<affine>& at) const {
        std::vector<affine> made;
        for (std::size_t d = 0; d < at.size(); ++d) made.push_back(at[d] + origin[d]);
        return made;
    }
    /// What indices of the buffer must keep to, along the axes where the window may hang over.
    [[nodiscard]] std::vector<affine_bound> bounds(const nest_buffer& b, const std::vector<affine>& at,
                                                   const std::vector<std::int64_t>& loops) const {
        std::vector<affine_bound> made;
        for (std::size_t d = 0; d < at.size(); ++d) {
            const auto range = origin[d].range(loops);
            if (!range || range->first < 0 || range->second > b.extents[d] - extents[d]) made.push_back({0, at[d], b.extents[d]});
        }
        return made;
    }
};

/// The window of a buffer that a round of a loop touches. The error says why there is none: places that follow the loops outside in
/// different ways, or a buffer that is not touched.
[[nodiscard]] inline outcome<touched_window> window_in(const nest_edit& n, statement_id loop, buffer_id b) {
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
