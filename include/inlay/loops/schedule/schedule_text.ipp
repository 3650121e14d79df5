// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_SCHEDULE_TEXT_IPP
#define INLAY_LOOPS_SCHEDULE_SCHEDULE_TEXT_IPP

#include <cstddef>
#include <string>
#include <vector>

#include <inlay/loops/schedule/schedule_text.hpp>

#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/loops/schedule/loop_schedule.hpp>

namespace inlay {

std::string to_text(const schedule_step& s) {
    const auto list = [](const auto& all, auto&& shown) {
        std::string made;
        for (const auto& one : all) made += (made.empty() ? "" : ", ") + shown(one);
        return made;
    };
    const auto same = [](const std::string& name) { return name; };
    switch (s.kind) {
        case schedule_step::form::split:
            return "split " + s.loops[0] + " by " + std::to_string(s.factor) + " into " + s.loops[1] + ", " + s.loops[2] + "\n";
        case schedule_step::form::reorder:
            return "reorder [" + list(s.loops, same) + "]\n";
        case schedule_step::form::run:
            return "run " + s.loops[0] + " " + std::string(name_of(s.runs)) + "\n";
        case schedule_step::form::fuse:
            return "fuse " + s.loops[0] + ", " + s.loops[1] + "\n";
        case schedule_step::form::inline_stage:
            return "inline " + s.buffer + "\n";
        case schedule_step::form::compute_at:
            return "compute " + s.buffer + " at " + s.loops[0] + "\n";
        case schedule_step::form::cache:
            return "cache " + s.buffer + " at " + s.loops[0] + " as " + s.copy +
                   (s.order.empty() ? "" : " order [" + list(s.order, [](std::size_t d) { return std::to_string(d); }) + "]") + "\n";
        case schedule_step::form::fission:
            return "fission " + s.loops[0] + " after " + std::to_string(s.factor) +
                   (s.loops.size() == 1 ? "" : " into " + list(std::vector(s.loops.begin() + 1, s.loops.end()), same)) + "\n";
        case schedule_step::form::put:
            return "put " + s.buffer + " in " + std::string(name_of(s.scope)) + "\n";
        case schedule_step::form::call:
            return "call " + s.loops[0] + " of " + to_text(s.function);
    }
    return {};
}

std::string to_text(const loop_schedule& how) {
    std::string made;
    for (const schedule_step& s : how.steps) made += to_text(s);
    return made;
}

}  // namespace inlay

#endif
