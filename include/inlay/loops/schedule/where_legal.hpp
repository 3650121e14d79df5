// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_WHERE_LEGAL_HPP
#define INLAY_LOOPS_SCHEDULE_WHERE_LEGAL_HPP

#include <string>
#include <utility>

#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/schedule/loop_schedule.hpp>
#include <inlay/loops/schedule/schedule.hpp>

namespace inlay::detail {

/// Arranges a nest as a schedule says where all its steps are legal there, else leaves it. Whether it did.
inline bool arrange_where_legal(loop_nest& n, const loop_schedule& how) {
    auto made = scheduled(n, how);
    if (made) n = *std::move(made);
    return made.has_value();
}

[[nodiscard]] inline const std::string& name_of_loop(const loop_nest& n, statement_id loop) {
    return n.variables[n.statements[loop].variable];
}

}  // namespace inlay::detail

#endif
