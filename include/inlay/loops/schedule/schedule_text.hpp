// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_SCHEDULE_TEXT_HPP
#define INLAY_LOOPS_SCHEDULE_SCHEDULE_TEXT_HPP

#include <string>

#include <inlay/core/linkage.hpp>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/loops/schedule/loop_schedule.hpp>

namespace inlay {

/// A step as text, of one line but for the function of a call. Precondition: it names what `loop_schedule` has such a step name.
[[nodiscard]] INLAY_FUNCTION std::string to_text(const schedule_step& s);

/// A schedule as text that `parse_schedule` reads back:
///
///     split j by 16 into tile, lane
///     reorder [tile, k, lane]
///     cache b at tile as packed order [1, 0]
///     run lane vector
///     call k of nest dot { ... }
///
/// Precondition: that of each step.
[[nodiscard]] INLAY_FUNCTION std::string to_text(const loop_schedule& how);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/schedule/schedule_text.ipp>
#endif

#endif
