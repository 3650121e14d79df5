// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_RESULTS_IN_PLACE_HPP
#define INLAY_LOOPS_SCHEDULE_RESULTS_IN_PLACE_HPP

#include <inlay/core/linkage.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay {

/// A nest whose results are computed where they end up: a scratch buffer that is only copied to a result, or from which the result is
/// computed element by element, is that result's memory from the beginning.
[[nodiscard]] INLAY_FUNCTION loop_nest with_results_in_place(loop_nest of);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/schedule/results_in_place.ipp>
#endif

#endif
