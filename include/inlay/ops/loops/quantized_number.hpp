// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_QUANTIZED_NUMBER_HPP
#define INLAY_OPS_LOOPS_QUANTIZED_NUMBER_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <inlay/graph/tensor.hpp>
#include <inlay/ops/loops/strides.hpp>

namespace inlay {

/// A number of quantised steps as an element: rounded half to even, moved by the zero point, and cut to the range of T. NaN is 0.
template <class T>
[[nodiscard]] T quantized_number(float steps, std::int32_t zero_point) {
    const float moved = std::nearbyint(steps) + static_cast<float>(zero_point);
    if (moved != moved) return T(0);
    if (moved <= static_cast<float>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (moved >= static_cast<float>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(moved);
}

/// What becomes of sums of quantised products: times `scale`, which is `x_scale * w_scale / y_scale` in float32, from left to right.
template <class T>
[[nodiscard]] T requantized_number(std::int32_t sum, float scale, std::int32_t zero_point) {
    return quantized_number<T>(static_cast<float>(sum) * scale, zero_point);
}

/// Numbers that differ along one axis of a tensor, or one for all: which one element `i` has. In blocks, each number holds for `block`
/// places along the axis, and numbers differ along the other axes too.
struct numbers_along_axis {
    std::size_t count = 1, step = 1;
    std::size_t block = 0, length = 0;  // of the axis, if numbers are in blocks

    /// Along axis `axis` of these extents, so many numbers: one for all, or one for each place.
    [[nodiscard]] static numbers_along_axis of(const std::vector<std::int64_t>& extents, std::size_t axis, std::size_t count) {
        if (count == 1) return {};
        return {count, static_cast<std::size_t>(extent_product(extents, axis + 1, extents.size()))};
    }
    /// As many numbers as their tensor has, in blocks along the axis. Precondition: `block_size` is positive.
    [[nodiscard]] static numbers_along_axis in_blocks(const std::vector<std::int64_t>& extents, std::size_t axis, std::int64_t block_size,
                                                      std::size_t count) {
        numbers_along_axis n = of(extents, axis, count);
        if (count == 1) return n;
        n.block = static_cast<std::size_t>(block_size);
        n.length = static_cast<std::size_t>(extents[axis]);
        return n;
    }
    [[nodiscard]] std::size_t at(std::size_t i) const {
        if (count == 1) return 0;
        if (block == 0) return i / step % count;
        const std::size_t blocks = length / block + (length % block != 0 ? 1 : 0);
        return (i / (step * length) * blocks + i / step % length / block) * step + i % step;
    }
};

/// An element of a tensor of whole numbers of up to 32 bits.
[[nodiscard]] inline std::int32_t whole_number_at(const tensor& t, std::size_t i) {
    switch (t.element()) {
        case element_type::int8:
            return t.as<std::int8_t>()[i];
        case element_type::uint8:
            return t.as<std::uint8_t>()[i];
        case element_type::int16:
            return t.as<std::int16_t>()[i];
        case element_type::uint16:
            return t.as<std::uint16_t>()[i];
        case element_type::int32:
            return t.as<std::int32_t>()[i];
        default:
            return 0;
    }
}

}  // namespace inlay

#endif
