// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ACCEL_LAYER_HPP
#define INLAY_BACKEND_ACCEL_LAYER_HPP

#include <cstdint>

#include <inlay/accelerator/operand_type.hpp>
#include <inlay/accelerator/tap_axis.hpp>

namespace inlay::accel_parts {

/// What the accelerator computes in one program: for each place of a result, sums over taps and channels of an image whose channels lie
/// side by side, for each output channel. A product of matrices is one row of places without a window.
struct layer {
    std::int64_t images = 1;
    tap_axis y, x;
    std::int64_t groups = 1;                 // each sums over channels of its own
    std::int64_t channels = 1, filters = 1;  // in and out, of one group
    operand_type type = operand_type::signed_bytes;
    std::uint8_t beside = 0;  // the byte that stands for what is beside the image

    [[nodiscard]] constexpr std::int64_t element() const { return bytes_of(type); }
    [[nodiscard]] constexpr std::int64_t places() const { return images * y.out * x.out; }
    [[nodiscard]] constexpr std::int64_t taps() const { return y.taps * x.taps; }
    [[nodiscard]] constexpr std::int64_t macs() const { return places() * taps() * groups * channels * filters; }
    [[nodiscard]] constexpr std::int64_t in_bytes() const { return images * y.in * x.in * groups * channels * element(); }
    [[nodiscard]] constexpr std::int64_t out_bytes() const { return places() * groups * filters * element(); }
    [[nodiscard]] constexpr std::int64_t weight_bytes() const { return taps() * groups * channels * filters * element(); }

    /// The same where each place reads its own pixel alone: one row of places.
    [[nodiscard]] constexpr layer flattened() const {
        if (!y.is_plain() || !x.is_plain()) return *this;
        layer made = *this;
        made.images = 1;
        made.y = {};
        made.x.in = made.x.out = places();
        return made;
    }
    friend bool operator==(const layer&, const layer&) = default;
};

}  // namespace inlay::accel_parts

#endif
