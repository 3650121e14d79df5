// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_REDUCTIONS_HPP
#define INLAY_LOOPS_LOWER_REDUCTIONS_HPP

#include <cstdint>
#include <span>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/loops/nest/affine.hpp>

namespace inlay::detail {

/// A tensor over some of its axes, which keep an extent of 1 in the result.
struct reduced_shape {
    std::vector<bool> is_over;
    std::vector<std::int64_t> kept, over;
    double count = 1;

    INLAY_FUNCTION reduced_shape(const std::vector<std::int64_t>& extents, std::vector<bool> axes);
    [[nodiscard]] INLAY_FUNCTION std::vector<affine> place(const std::vector<affine>& at, const std::vector<affine>& k) const;
    /// Where the reduced element stands that belongs to a place.
    [[nodiscard]] INLAY_FUNCTION std::vector<affine> home(const std::vector<affine>& at) const;
};

/// Of all elements over some axes what a function makes of `value(at)`.
template <class Value>
[[nodiscard]] lowered_tensor reduced_over(const lowered_call& c, const reduced_shape& s, scalar_function f, double first, Value&& value) {
    return c.nest.reduced(s.kept, c.element, s.over, f, c.number(first),
                          [&](const std::vector<affine>& at, const std::vector<affine>& k) { return value(s.place(at, k)); });
}

/// How calls of reductions are lowered.
[[nodiscard]] INLAY_FUNCTION std::span<const lowering_entry> reduction_lowerings();

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/lower/reductions.ipp>
#endif

#endif
