// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_NEAR_STAGES_HPP
#define INLAY_LOOPS_SCHEDULE_NEAR_STAGES_HPP

#include <inlay/core/linkage.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay::detail {

/// A nest in which what a stage makes for a row is computed right before the row is read, and stays in the cache: sums and maxima of rows,
/// for example. Stages that this would run several times, or whose reader would be left without enough rounds for threads, stay.
[[nodiscard]] INLAY_FUNCTION loop_nest with_near_stages(loop_nest n);

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/schedule/near_stages.ipp>
#endif

#endif
