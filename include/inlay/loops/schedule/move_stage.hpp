// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_MOVE_STAGE_HPP
#define INLAY_LOOPS_SCHEDULE_MOVE_STAGE_HPP

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>

namespace inlay::detail {

/// The axis of each variable among indices that are variables, each once, or 0 along axes of one element. Nothing where they are others.
[[nodiscard]] INLAY_FUNCTION std::optional<std::vector<std::pair<variable_id, std::size_t>>> axes_by_variable(
    const std::vector<affine>& at);

/// Computes what is stored to a buffer wherever that is read, and has the buffer go.
[[nodiscard]] INLAY_FUNCTION outcome<void> inline_stage(nest_edit& n, buffer_id b);

/// Runs the stage that writes a buffer in each round of a loop, for the part that the round reads.
[[nodiscard]] INLAY_FUNCTION outcome<void> compute_at(nest_edit& n, buffer_id b, statement_id loop);

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/schedule/move_stage.ipp>
#endif

#endif
