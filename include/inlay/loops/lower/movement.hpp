// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_MOVEMENT_HPP
#define INLAY_LOOPS_LOWER_MOVEMENT_HPP

#include <span>

#include <inlay/core/linkage.hpp>
#include <inlay/loops/lower/lowered_call.hpp>

namespace inlay::detail {

/// How calls of operators that move elements are lowered.
[[nodiscard]] INLAY_FUNCTION std::span<const lowering_entry> movement_lowerings();

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/lower/movement.ipp>
#endif

#endif
