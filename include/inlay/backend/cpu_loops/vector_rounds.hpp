// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_LOOPS_VECTOR_ROUNDS_HPP
#define INLAY_BACKEND_CPU_LOOPS_VECTOR_ROUNDS_HPP

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_loops/partial_results.hpp>
#include <inlay/loops/nest/loop_bands.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/schedule/loop_schedule.hpp>
#include <inlay/loops/schedule/where_legal.hpp>

namespace inlay::detail {

/// A nest whose innermost loops are vector loops, those whose rounds hand nothing on, and those that hand on partial results alone.
[[nodiscard]] inline loop_nest with_vector_rounds(loop_nest n) {
    n = with_partial_results(std::move(n));
    std::vector<std::string> loops;
    for (const statement_id loop : innermost_loops(n))
        if (n.statements[loop].runs == loop_kind::serial && n.statements[loop].extent > 1) loops.push_back(name_of_loop(n, loop));
    for (const std::string& loop : loops) (void)arrange_where_legal(n, loop_schedule().vectorise(loop));
    return n;
}

}  // namespace inlay::detail

#endif
