// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_NORMALIZATIONS_HPP
#define INLAY_LOOPS_LOWER_NORMALIZATIONS_HPP

#include <span>

#include <inlay/core/linkage.hpp>
#include <inlay/loops/lower/lowered_call.hpp>

namespace inlay::detail {

/// How calls of normalizations are lowered.
[[nodiscard]] INLAY_FUNCTION std::span<const lowering_entry> normalization_lowerings();

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/lower/normalizations.ipp>
#endif

#endif
