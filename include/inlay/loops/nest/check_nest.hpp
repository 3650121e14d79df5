// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_CHECK_NEST_HPP
#define INLAY_LOOPS_NEST_CHECK_NEST_HPP

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay {

/// Whether a nest is sound: each index stays in its extent for all values of the loops, under the bounds around it; each variable has one
/// loop and is used in it alone; buffers are used where they are; element types agree; inputs stay as they are; and no two rounds of a loop
/// that may run at the same time touch an element that one of them writes. What is sound runs and prints without further checks. Linear in
/// the nest, but for bounds around a place and pairs of accesses in concurrent loops.
[[nodiscard]] INLAY_FUNCTION outcome<void> check_nest(const loop_nest& n);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/nest/check_nest.ipp>
#endif

#endif
