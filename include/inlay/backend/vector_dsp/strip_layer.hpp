// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_VECTOR_DSP_STRIP_LAYER_HPP
#define INLAY_BACKEND_VECTOR_DSP_STRIP_LAYER_HPP

#include <cstdint>

#include <inlay/accelerator/operand_type.hpp>
#include <inlay/accelerator/tap_axis.hpp>
#include <inlay/backend/vector_dsp/instruction.hpp>

namespace inlay::dsp_parts {

/// What is done for each place of a result: sums over a window with weights for each channel, the greatest or the average of a window, or a
/// function of one or two tensors element by element.
enum class strip_work : std::uint8_t { depthwise, maximum, average, combination };

/// What the processor computes in one program. Channels lie side by side, and are not mixed; elements of a combination are the channels of
/// one place.
struct strip_layer {
    strip_work work = strip_work::depthwise;
    std::int64_t images = 1;
    tap_axis y, x;
    std::int64_t channels = 1;
    operand_type type = operand_type::signed_bytes;
    combine_function function = combine_function::add;
    bool reads_one = true;  // of a combination: both operands are one tensor

    [[nodiscard]] constexpr std::int64_t element() const { return bytes_of(type); }
    [[nodiscard]] constexpr std::int64_t in_bytes() const { return images * y.in * x.in * channels * element(); }
    [[nodiscard]] constexpr std::int64_t out_bytes() const { return images * y.out * x.out * channels * element(); }
    /// What is added up, compared or combined, once for each element of an operand that is not beside the image.
    [[nodiscard]] constexpr std::int64_t operations() const { return images * y.taps_inside() * x.taps_inside() * channels; }
    /// Whether it adds up in sums of 4 bytes, and ends them by numbers of each channel.
    [[nodiscard]] constexpr bool has_sums() const { return work == strip_work::depthwise || work == strip_work::average; }
    friend bool operator==(const strip_layer&, const strip_layer&) = default;
};

}  // namespace inlay::dsp_parts

#endif
