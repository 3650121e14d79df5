// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_SCHEDULE_HPP
#define INLAY_LOOPS_SCHEDULE_SCHEDULE_HPP

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/schedule/loop_schedule.hpp>

namespace inlay {

/// A nest arranged by a schedule. The error says which step is not legal there, and why; or why the nest is not sound. Each step is linear
/// in the nest, but for pairs of accesses in concurrent or reordered loops.
[[nodiscard]] INLAY_FUNCTION outcome<loop_nest> scheduled(const loop_nest& n, const loop_schedule& how);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/schedule/schedule.ipp>
#endif

#endif
