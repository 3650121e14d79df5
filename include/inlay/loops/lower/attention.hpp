// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_ATTENTION_HPP
#define INLAY_LOOPS_LOWER_ATTENTION_HPP

#include <span>

#include <inlay/core/linkage.hpp>
#include <inlay/loops/lower/lowered_call.hpp>

namespace inlay::detail {

/// How calls of attention are lowered.
[[nodiscard]] INLAY_FUNCTION std::span<const lowering_entry> attention_lowerings();

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/lower/attention.ipp>
#endif

#endif
