// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_ACCELERATOR_UNIT_TIMELINE_HPP
#define INLAY_ACCELERATOR_UNIT_TIMELINE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/accelerator/work_unit.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay {

/// What one instruction is for the time it takes: its unit, its cycles, and the units whose tokens it takes before it begins and that it
/// gives a token when it has ended. Each pair of units has a queue of tokens, as neighbours have in VTA (Moreau et al., IEEE Micro 2019).
struct unit_step {
    work_unit unit = work_unit::compute;
    std::int64_t cycles = 0;
    unit_set takes = {}, gives = {};
};

/// When each instruction begins and ends, in cycles.
struct unit_timeline {
    std::vector<std::int64_t> begins, ends;
    std::int64_t total = 0;
    std::array<std::int64_t, work_units> busy{};

    friend bool operator==(const unit_timeline&, const unit_timeline&) = default;
};

namespace detail {

/// The queues of tokens, by the unit that gives and the one that takes.
inline constexpr std::size_t token_queues = work_units * work_units;

/// Calls `use(queue)` for each queue that a step takes a token from, or gives one to.
template <class Use>
void each_taken(const unit_step& s, Use&& use) {
    for (std::size_t u = 0; u < work_units; ++u)
        if (s.takes.has(static_cast<work_unit>(u))) use(u * work_units + static_cast<std::size_t>(s.unit));
}
template <class Use>
void each_given(const unit_step& s, Use&& use) {
    for (std::size_t u = 0; u < work_units; ++u)
        if (s.gives.has(static_cast<work_unit>(u))) use(static_cast<std::size_t>(s.unit) * work_units + u);
}

}  // namespace detail

/// When the instructions of a program run, by adding up: each begins when its unit is free and its tokens are there. The error names an
/// instruction whose token no earlier one gives, for which it would wait for ever. Linear.
[[nodiscard]] inline outcome<unit_timeline> timeline_of(std::span<const unit_step> program) {
    unit_timeline made;
    std::array<std::int64_t, work_units> is_free{};
    std::array<std::deque<std::int64_t>, detail::token_queues> tokens;
    for (std::size_t i = 0; i < program.size(); ++i) {
        const unit_step& s = program[i];
        const auto unit = static_cast<std::size_t>(s.unit);
        std::int64_t begin = is_free[unit];
        bool has_tokens = true;
        detail::each_taken(s, [&](std::size_t queue) {
            if (tokens[queue].empty()) {
                has_tokens = false;
                return;
            }
            begin = std::max(begin, tokens[queue].front());
            tokens[queue].pop_front();
        });
        if (!has_tokens)
            return error{"instruction " + std::to_string(i) +
                         " waits for a token that no earlier instruction gives; it would wait for ever"};
        const std::int64_t end = begin + s.cycles;
        detail::each_given(s, [&](std::size_t queue) { tokens[queue].push_back(end); });
        is_free[unit] = end;
        made.busy[unit] += s.cycles;
        made.begins.push_back(begin);
        made.ends.push_back(end);
        made.total = std::max(made.total, end);
    }
    return made;
}

/// The same cycle by cycle, as units and queues of hardware go: what `timeline_of` is held against. `begin(i)` and `end(i)` are called in
/// the cycles in which instruction i begins and ends, so that whoever steps a machine's memories sees what is there then; of one cycle,
/// ends come first. A unit does not begin two instructions in one cycle that each take none.
template <class Begin, class End>
[[nodiscard]] outcome<unit_timeline> step_timeline(std::span<const unit_step> program, Begin&& begin, End&& end) {
    unit_timeline made;
    made.begins.assign(program.size(), 0);
    made.ends.assign(program.size(), 0);
    struct unit_state {
        std::vector<std::size_t> instructions;
        std::size_t next = 0;
        std::int64_t left = 0;
        bool runs = false;
    };
    std::array<unit_state, work_units> units;
    for (std::size_t i = 0; i < program.size(); ++i) units[static_cast<std::size_t>(program[i].unit)].instructions.push_back(i);
    std::array<std::int64_t, detail::token_queues> tokens{};
    std::size_t open = program.size();
    for (std::int64_t cycle = 0; open > 0; ++cycle) {
        bool moved = false;
        // What ended with the cycle before gives its tokens; what takes no time begins and ends at once, which may let others begin.
        for (bool again = true; again;) {
            again = false;
            for (unit_state& u : units) {
                if (u.runs && u.left == 0) {
                    const std::size_t i = u.instructions[u.next++];
                    detail::each_given(program[i], [&](std::size_t queue) { ++tokens[queue]; });
                    u.runs = false;
                    made.ends[i] = cycle;
                    end(i);
                    --open;
                    again = true;
                }
            }
            if (again) continue;
            for (unit_state& u : units) {
                if (u.runs || u.next == u.instructions.size()) continue;
                const std::size_t i = u.instructions[u.next];
                bool is_ready = true;
                detail::each_taken(program[i], [&](std::size_t queue) { is_ready = is_ready && tokens[queue] > 0; });
                if (!is_ready) continue;
                detail::each_taken(program[i], [&](std::size_t queue) { --tokens[queue]; });
                u.runs = true;
                u.left = program[i].cycles;
                made.begins[i] = cycle;
                begin(i);
                again = again || u.left == 0;
                moved = true;
            }
        }
        for (std::size_t k = 0; k < work_units; ++k)
            if (units[k].runs) {
                --units[k].left;
                ++made.busy[k];
                moved = true;
            }
        if (open > 0 && !moved) return error{"all units wait for tokens of each other"};
        made.total = cycle;
    }
    return made;
}
[[nodiscard]] inline outcome<unit_timeline> step_timeline(std::span<const unit_step> program) {
    return step_timeline(
        program, [](std::size_t) {}, [](std::size_t) {});
}

}  // namespace inlay

#endif
