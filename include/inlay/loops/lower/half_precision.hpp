// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_HALF_PRECISION_HPP
#define INLAY_LOOPS_LOWER_HALF_PRECISION_HPP

#include <vector>

#include <inlay/graph/element_type.hpp>
#include <inlay/loops/lower/lowering.hpp>
#include <inlay/loops/nest/affine.hpp>

namespace inlay::detail {

/// A tensor as one of another element type, each element converted where it is read.
[[nodiscard]] inline lowered_tensor cast_to(lowering& nest, const lowered_tensor& t, element_type e) {
    if (!t.read || t.element == e) return t;
    return nest.computed(t.extents, e, t.cost + 1,
                         [&nest, read = t.read, e](const std::vector<affine>& at) { return nest.build().cast(read(at), e); });
}

/// What a call whose operands or result are of half precision is lowered with in their place: it computes in float32 and is rounded once,
/// as the interpreter has it.
[[nodiscard]] constexpr element_type computed_as(element_type e) { return is_half(e) ? element_type::float32 : e; }

}  // namespace inlay::detail

#endif
