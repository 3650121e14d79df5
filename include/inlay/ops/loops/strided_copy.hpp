// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_STRIDED_COPY_HPP
#define INLAY_OPS_LOOPS_STRIDED_COPY_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/graph/tensor.hpp>
#include <inlay/ops/loops/visit_element_type.hpp>

namespace inlay {

/// Fills `to`, in row-major order, with the elements of `from` at `first + i * steps[0] + j * steps[1] + ...` for its index (i, j, ...):
/// a transposition, a slice, a stretched tensor. Both have one element type. Precondition: these places are in `from`.
inline void copy_strided(const tensor& from, std::int64_t first, const std::vector<std::int64_t>& steps, tensor& to) {
    if (to.count() == 0) return;
    visit_element_size(to.element(), [&](auto width) {
        using U = typename decltype(width)::type;
        const U* at = reinterpret_cast<const U*>(from.data()) + first;
        U* out = reinterpret_cast<U*>(to.data());
        if (to.rank() == 0) {
            *out = *at;
            return;
        }
        const std::size_t last = to.rank() - 1;
        const std::int64_t row = to.extents()[last], step = steps[last];
        std::vector<std::int64_t> index(to.rank(), 0);
        while (true) {
            for (std::int64_t j = 0; j < row; ++j) *out++ = at[j * step];
            std::size_t axis = last;
            while (axis-- > 0) {
                at += steps[axis];
                if (++index[axis] < to.extents()[axis]) break;
                at -= steps[axis] * to.extents()[axis];
                index[axis] = 0;
            }
            if (axis == static_cast<std::size_t>(-1)) return;
        }
    });
}

}  // namespace inlay

#endif
