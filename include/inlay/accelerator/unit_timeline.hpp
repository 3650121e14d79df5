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

#include <inlay/core/outcome.hpp>

namespace inlay {

/// The units of an accelerator that work at one time, each on its own instructions in order: one brings tensors in, one computes, one
/// brings them out. Neighbours wait for each other by tokens, as in VTA (Moreau et al., IEEE Micro 2019).
enum class work_unit : std::uint8_t { load, compute, store };
inline constexpr std::size_t work_units = 3;

/// What one instruction is for the time it takes: its unit, its cycles, and the tokens that it takes from its unit's neighbours before it
/// begins and gives them when it has ended.
struct unit_step {
    work_unit unit = work_unit::compute;
    std::int64_t cycles = 0;
    bool takes_from_before = false, takes_from_behind = false;  // of the unit before it, and behind it
    bool gives_before = false, gives_behind = false;
};

/// When each instruction begins and ends, in cycles.
struct unit_timeline {
    std::vector<std::int64_t> begins, ends;
    std::int64_t total = 0;
    std::array<std::int64_t, work_units> busy{};

    friend bool operator==(const unit_timeline&, const unit_timeline&) = default;
};

namespace detail {

/// The queue of tokens from a unit to its neighbour: 0 load to compute, 1 compute to load, 2 compute to store, 3 store to compute.
struct token_use {
    std::array<std::size_t, 2> takes{}, gives{};
    std::size_t taken = 0, given = 0;
};
[[nodiscard]] inline token_use tokens_of(const unit_step& s) {
    token_use made;
    const auto take = [&](std::size_t queue) { made.takes[made.taken++] = queue; };
    const auto give = [&](std::size_t queue) { made.gives[made.given++] = queue; };
    if (s.unit == work_unit::compute && s.takes_from_before) take(0);
    if (s.unit == work_unit::compute && s.takes_from_behind) take(3);
    if (s.unit == work_unit::load && s.takes_from_behind) take(1);
    if (s.unit == work_unit::store && s.takes_from_before) take(2);
    if (s.unit == work_unit::compute && s.gives_before) give(1);
    if (s.unit == work_unit::compute && s.gives_behind) give(2);
    if (s.unit == work_unit::load && s.gives_behind) give(0);
    if (s.unit == work_unit::store && s.gives_before) give(3);
    return made;
}

}  // namespace detail

/// When the instructions of a program run, by adding up: each begins when its unit is free and its tokens are there. The error names an
/// instruction whose token no earlier one gives, for which it would wait for ever. Linear.
[[nodiscard]] inline outcome<unit_timeline> timeline_of(std::span<const unit_step> program) {
    unit_timeline made;
    std::array<std::int64_t, work_units> is_free{};
    std::array<std::deque<std::int64_t>, 4> tokens;
    for (std::size_t i = 0; i < program.size(); ++i) {
        const unit_step& s = program[i];
        const auto unit = static_cast<std::size_t>(s.unit);
        const detail::token_use use = detail::tokens_of(s);
        std::int64_t begin = is_free[unit];
        for (std::size_t t = 0; t < use.taken; ++t) {
            std::deque<std::int64_t>& queue = tokens[use.takes[t]];
            if (queue.empty())
                return error{"instruction " + std::to_string(i) +
                             " waits for a token that no earlier instruction gives; it would wait for ever"};
            begin = std::max(begin, queue.front());
            queue.pop_front();
        }
        const std::int64_t end = begin + s.cycles;
        for (std::size_t t = 0; t < use.given; ++t) tokens[use.gives[t]].push_back(end);
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
    std::array<std::int64_t, 4> tokens{};
    std::size_t open = program.size();
    for (std::int64_t cycle = 0; open > 0; ++cycle) {
        bool moved = false;
        // What ended with the cycle before gives its tokens; what takes no time begins and ends at once, which may let others begin.
        for (bool again = true; again;) {
            again = false;
            for (unit_state& u : units) {
                if (u.runs && u.left == 0) {
                    const std::size_t i = u.instructions[u.next++];
                    const detail::token_use use = detail::tokens_of(program[i]);
                    for (std::size_t t = 0; t < use.given; ++t) ++tokens[use.gives[t]];
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
                const detail::token_use use = detail::tokens_of(program[i]);
                bool is_ready = true;
                for (std::size_t t = 0; t < use.taken; ++t) is_ready = is_ready && tokens[use.takes[t]] > 0;
                if (!is_ready) continue;
                for (std::size_t t = 0; t < use.taken; ++t) --tokens[use.takes[t]];
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
