// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_LOOP_SCHEDULE_IPP
#define INLAY_LOOPS_SCHEDULE_LOOP_SCHEDULE_IPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/loops/schedule/loop_schedule.hpp>

#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay {

loop_schedule& loop_schedule::split(std::string loop, std::int64_t factor, std::string over, std::string inside) {
    return add({schedule_step::form::split, {std::move(loop), std::move(over), std::move(inside)}, factor});
}

loop_schedule& loop_schedule::tile(const std::vector<std::string>& loops, const std::vector<std::int64_t>& factors,
                                   const std::vector<std::string>& over, const std::vector<std::string>& inside) {
    std::vector<std::string> order = over;
    order.insert(order.end(), inside.begin(), inside.end());
    for (std::size_t i = 0; i < loops.size(); ++i) split(loops[i], factors[i], over[i], inside[i]);
    return reorder(std::move(order));
}

loop_schedule& loop_schedule::fuse(std::string first, std::string second) {
    return add({schedule_step::form::fuse, {std::move(first), std::move(second)}});
}

loop_schedule& loop_schedule::fission(std::string loop, std::int64_t first_statements, std::vector<std::string> others) {
    others.insert(others.begin(), std::move(loop));
    return add({schedule_step::form::fission, std::move(others), first_statements});
}

loop_schedule& loop_schedule::put(std::string buffer, buffer_scope scope) {
    schedule_step s;
    s.kind = schedule_step::form::put;
    s.buffer = std::move(buffer);
    s.scope = scope;
    return add(std::move(s));
}

loop_schedule& loop_schedule::compute_at(std::string buffer, std::string loop) {
    return add({schedule_step::form::compute_at, {std::move(loop)}, 0, {}, std::move(buffer)});
}

loop_schedule& loop_schedule::cache(std::string buffer, std::string loop, std::string copy, std::vector<std::size_t> order) {
    return add({schedule_step::form::cache, {std::move(loop)}, 0, {}, std::move(buffer), std::move(copy), std::move(order)});
}

loop_schedule& loop_schedule::call(std::string loop, loop_nest function) {
    return add({schedule_step::form::call, {std::move(loop)}, 0, {}, {}, {}, {}, std::move(function)});
}

loop_schedule& loop_schedule::add(schedule_step s) {
    steps.push_back(std::move(s));
    return *this;
}

}  // namespace inlay

#endif
