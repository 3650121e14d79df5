// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_REPLACE_BY_CALL_HPP
#define INLAY_LOOPS_SCHEDULE_REPLACE_BY_CALL_HPP

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>

namespace inlay::detail {

/// Puts a call of a function in a loop's place, where the loop and all in it do what the function means.
[[nodiscard]] INLAY_FUNCTION outcome<void> replace_by_call(nest_edit& n, statement_id loop, const loop_nest& function);

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/schedule/replace_by_call.ipp>
#endif

#endif
