// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_STEP_SCHEDULE_HPP
#define INLAY_RUNTIME_STEP_SCHEDULE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>

namespace inlay {

/// Steps of a program by their numbers, in lanes that run at the same time. The steps of a lane run in order. One lane alone has the whole
/// executor for each of its steps; of several each is one task of the executor, and its steps run on that task's thread.
struct step_group {
    std::vector<std::vector<std::uint32_t>> lanes;

    friend bool operator==(const step_group&, const step_group&) = default;
};

/// In which order the steps of a program run, and which beside which: groups, one after the other; each waits for all lanes of the one
/// before it.
struct step_schedule {
    std::vector<step_group> groups;

    /// All steps one after the other, each with the whole executor.
    [[nodiscard]] static step_schedule serial(std::size_t steps) {
        step_schedule made;
        if (steps == 0) return made;
        std::vector<std::uint32_t>& lane = made.groups.emplace_back().lanes.emplace_back();
        for (std::size_t i = 0; i < steps; ++i) lane.push_back(static_cast<std::uint32_t>(i));
        return made;
    }

    /// How many groups have several lanes.
    [[nodiscard]] std::size_t groups_of_lanes() const {
        return static_cast<std::size_t>(
            std::count_if(groups.begin(), groups.end(), [](const step_group& g) { return g.lanes.size() > 1; }));
    }
    /// The most lanes of a group.
    [[nodiscard]] std::size_t most_lanes() const {
        std::size_t most = 0;
        for (const step_group& g : groups) most = std::max(most, g.lanes.size());
        return most;
    }

    friend bool operator==(const step_schedule&, const step_schedule&) = default;
};

/// Whether a program can run by a schedule. `reads`: for each step those whose results it reads. `runs(i)`: whether step i runs at all; one
/// that does not may be named or not, and nobody waits for it. The error says what is wrong with the first step that is. Linear in what
/// stands in both.
template <class Runs>
[[nodiscard]] outcome<void> check_schedule(const step_schedule& s, std::span<const std::vector<std::uint32_t>> reads, Runs&& runs) {
    struct where {
        std::size_t group, lane, at;
        bool known = false;
    };
    std::vector<where> place(reads.size());
    const auto name = [](std::size_t i) { return "step " + std::to_string(i); };
    for (std::size_t g = 0; g < s.groups.size(); ++g)
        for (std::size_t l = 0; l < s.groups[g].lanes.size(); ++l)
            for (std::size_t at = 0; at < s.groups[g].lanes[l].size(); ++at) {
                const std::uint32_t i = s.groups[g].lanes[l][at];
                if (i >= place.size())
                    return error{"the schedule names " + name(i) + " of a program that has " + std::to_string(place.size()) +
                                 " steps; name those that it has"};
                if (place[i].known) return error{"the schedule names " + name(i) + " twice; name each step once"};
                place[i] = {g, l, at, true};
            }
    for (std::size_t i = 0; i < place.size(); ++i) {
        if (!runs(i)) continue;
        if (!place[i].known) return error{"the schedule leaves " + name(i) + " out; name each step once"};
        const where& to = place[i];
        for (const std::uint32_t r : reads[i]) {
            const where& from = place[r];
            if (!runs(r) || !from.known) continue;
            if (from.group < to.group || (from.group == to.group && from.lane == to.lane && from.at < to.at)) continue;
            return error{"the schedule does not run " + name(r) + " before " + name(i) +
                         ", which reads what it writes; put it into an earlier group or earlier into the same lane"};
        }
    }
    return {};
}

}  // namespace inlay

#endif
