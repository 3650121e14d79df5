// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_NEST_WORK_HPP
#define INLAY_LOOPS_NEST_NEST_WORK_HPP

#include <inlay/core/linkage.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay {

/// How many scalar operations a statement of a nest runs, about: one for each load, store, comparison and sum, some more for functions
/// that take longer, and for calls what they mean; 1 for an external function. For how finely work is shared out, not for prices. Linear in
/// the nest.
[[nodiscard]] INLAY_FUNCTION double work_of(const loop_nest& n, statement_id id);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/nest/nest_work.ipp>
#endif

#endif
