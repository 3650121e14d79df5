// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_NEAR_STAGES_IPP
#define INLAY_LOOPS_SCHEDULE_NEAR_STAGES_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/loops/schedule/near_stages.hpp>

#include <inlay/loops/nest/loop_bands.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>
#include <inlay/loops/schedule/loop_schedule.hpp>
#include <inlay/loops/schedule/where_legal.hpp>

namespace inlay::detail {

/// The loop in whose rounds a buffer of the nest's own is best computed: the innermost one with loops in it up to which each loop's
/// variable stands in the buffer's indices where it is read. Nothing where it is read in several bands, or where too few rounds would be
/// left for threads.
[[nodiscard]] inline std::optional<statement_id> loop_for_stage(const nest_edit& n, buffer_id b) {
    constexpr std::int64_t rounds_wanted = 16;
    std::optional<loop_band> reader;
    for (const loop_band& band : outermost_bands(n.nest())) {
        const bool writes = n.touches(band.loops.front(), b, true), reads = n.touches(band.loops.front(), b);
        if (!reads || writes) continue;
        if (reader) return std::nullopt;
        reader = band;
    }
    if (!reader) return std::nullopt;
    std::vector<char> follows(n.nest().variables.size(), 0);
    n.each_access(reader->loops.front(), [&](buffer_id of, const std::vector<affine>& at, const auto&, bool) {
        if (of != b) return;
        for (const affine& a : at)
            for (const affine::term& t : a.terms()) follows[t.variable] = 1;
    });
    std::int64_t rounds = 1;
    std::optional<statement_id> best;
    for (std::size_t i = 0; i < reader->loops.size() && has_loop(n.nest(), n.at(reader->loops[i]).parts.front()); ++i) {
        const nest_statement& loop = n.at(reader->loops[i]);
        if (follows[loop.variable] == 0 && loop.extent != 1) break;
        rounds *= std::max(loop.extent, std::int64_t{1});
        if (rounds >= rounds_wanted) best = reader->loops[i];
    }
    return best;
}

loop_nest with_near_stages(loop_nest n) {
    constexpr std::size_t most_on_the_stack = std::size_t{32} << 10;
    // Where a reader has moved, what it reads may follow.
    for (bool has_moved = true; has_moved;) {
        has_moved = false;
        for (buffer_id b = static_cast<buffer_id>(n.buffers.size()); b-- > 0 && !has_moved;) {
            if (n.buffers[b].scope != buffer_scope::scratch) continue;
            const std::string name = n.buffers[b].name;
            const auto loop = loop_for_stage(nest_edit(n), b);
            loop_nest moved = n;
            if (!loop || !arrange_where_legal(moved, loop_schedule().compute_at(name, name_of_loop(n, *loop)))) continue;
            const auto row = nest_edit(moved).buffer(name);
            has_moved = row && element_span(moved.buffers[*row]) * size_of(moved.buffers[*row].element) <= most_on_the_stack;
            if (has_moved) n = std::move(moved);
        }
    }
    return n;
}

}  // namespace inlay::detail

#endif
