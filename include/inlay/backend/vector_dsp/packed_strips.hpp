// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_VECTOR_DSP_PACKED_STRIPS_HPP
#define INLAY_BACKEND_VECTOR_DSP_PACKED_STRIPS_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <inlay/accelerator/operand_type.hpp>
#include <inlay/backend/vector_dsp/strip_cut.hpp>
#include <inlay/backend/vector_dsp/strip_layer.hpp>

namespace inlay::dsp_parts {

/// The constants of a layer. Of bytes the whole numbers count, of floats the `real_` ones; of a combination `combined` alone.
struct strip_numbers {
    std::uint8_t x_zero = 0;         // the zero point of what is summed up, as it stands in a byte
    std::vector<std::byte> weights;  // by tap (rows of taps) and channel
    std::vector<float> scales;       // by channel
    std::vector<std::int32_t> starts;
    std::vector<float> real_starts;
    std::int32_t zero = 0, low = -128, high = 127;
    float real_low = -std::numeric_limits<float>::infinity(), real_high = std::numeric_limits<float>::infinity();
    struct {
        float scale_a = 1, scale_b = 1, scale = 1;
        std::int32_t zero_a = 0, zero_b = 0, zero = 0;
    } combined;
};

/// The memory `packed` of a layer's program in a cut: what instructions load as it stands. Linear in its bytes.
[[nodiscard]] inline std::vector<std::byte> pack(const strip_layer& l, const strip_cut& c, const strip_numbers& n) {
    std::vector<std::byte> made;
    const auto put = [&](const void* from, std::int64_t bytes) {
        const std::size_t at = made.size();
        made.resize(at + static_cast<std::size_t>(bytes));
        if (bytes != 0) std::memcpy(made.data() + at, from, static_cast<std::size_t>(bytes));
    };
    if (l.work == strip_work::combination) {
        put(&n.combined, 24);
        put(&n.real_low, 4);
        put(&n.real_high, 4);
        return made;
    }
    if (!l.has_sums()) return made;
    const bool is_real = l.type == operand_type::floats;
    const std::int64_t taps = l.work == strip_work::depthwise ? l.y.taps * l.x.taps : 1;
    for (std::int64_t first = 0; first < l.channels; first += c.block) {
        const std::int64_t channels = std::min(c.block, l.channels - first);
        put(is_real ? static_cast<const void*>(n.real_starts.data() + first) : n.starts.data() + first, 4 * channels);
        put(n.scales.data() + first, 4 * channels);
        const std::int32_t range[4] = {n.zero, n.low, n.high, 0};
        const float real_range[4] = {0, n.real_low, n.real_high, 0};
        put(is_real ? static_cast<const void*>(real_range) : range, 16);
        for (std::int64_t t = 0; t < taps; ++t) put(n.weights.data() + (t * l.channels + first) * l.element(), channels * l.element());
    }
    return made;
}

}  // namespace inlay::dsp_parts

#endif
