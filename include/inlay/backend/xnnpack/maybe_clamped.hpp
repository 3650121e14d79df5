// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_MAYBE_CLAMPED_HPP
#define INLAY_BACKEND_XNNPACK_MAYBE_CLAMPED_HPP

#include <inlay/pattern/dsl/call_on.hpp>

namespace inlay::detail {

/// What matches the pattern, perhaps cut to a range.
template <pattern P>
[[nodiscard]] constexpr auto xnnpack_maybe_clamped(P p) {
    return dsl::maybe_call_on<1, "onnx.Relu", "onnx.Clip">(p);
}

}  // namespace inlay::detail

#endif
