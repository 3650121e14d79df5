// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_ELEMENTWISE_HPP
#define INLAY_LOOPS_LOWER_ELEMENTWISE_HPP

#include <span>

#include <inlay/core/linkage.hpp>
#include <inlay/loops/lower/lowered_call.hpp>

namespace inlay::detail {

/// How calls of operators whose result at each place follows from their operands there are lowered.
[[nodiscard]] INLAY_FUNCTION std::span<const lowering_entry> elementwise_lowerings();

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/lower/elementwise.ipp>
#endif

#endif
